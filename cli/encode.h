// Pictures in memory as files of the format that was asked for.
#ifndef STIJL_CLI_ENCODE_H
#define STIJL_CLI_ENCODE_H

#include "render.h"
#include "stijl/image_writer.h"

// Returns what a writer needs to know of a picture of this size.
stijl_image_writer_params cli_writer_params(const cli_options *options, int threads, int width, int height);

// Encodes a whole picture.
stijl_result cli_encode(const cli_renderer *renderer, const stijl_target *target, int threads,
                        bool (*write)(void *user, const void *data, size_t bytes), void *user, stijl_message *message);

// Writes it to a file.
bool cli_write_picture(const cli_renderer *renderer, const stijl_target *target, const char *path,
                       cli_failure *failure);

#endif
