// Loads the structures that lie among the words of filters. Here, and nowhere else, is where their members are in those
// words: one after the other, as the headers declare them. tests/gpu/layout.c compares the order. What is loaded and
// not used costs nothing, as drivers leave it out.
int word_int(uint i) { return int(words[i]); }
float word_float(uint i) { return uintBitsToFloat(words[i]); }

g_picture g_picture_at(uint w) {
  return g_picture(words[w], words[w + 1u], word_int(w + 2u), word_int(w + 3u), word_int(w + 4u), word_int(w + 5u));
}
g_instruction g_instruction_at(uint w) { return g_instruction(words[w], words[w + 1u], g_picture_at(w + 2u)); }
g_blur_words g_blur_words_at(uint w) {
  return g_blur_words(word_int(w), word_int(w + 1u), word_float(w + 2u), words[w + 3u], word_int(w + 4u),
                      word_int(w + 5u), word_int(w + 6u));
}
g_blur_axis g_blur_axis_at(uint w) {
  return g_blur_axis(word_int(w), words[w + 1u], word_float(w + 2u), words[w + 3u]);
}
g_convolve_words g_convolve_words_at(uint w) {
  return g_convolve_words(word_int(w), word_int(w + 1u), word_int(w + 2u), word_int(w + 3u), word_float(w + 4u),
                          words[w + 5u], words[w + 6u], word_int(w + 7u), word_int(w + 8u), word_int(w + 9u),
                          word_int(w + 10u));
}
g_displace_words g_displace_words_at(uint w) {
  return g_displace_words(g_picture_at(w), word_float(w + 6u), word_float(w + 7u), words[w + 8u], words[w + 9u]);
}
k_vec3 k_vec3_at(uint w) { return k_vec3(word_float(w), word_float(w + 1u), word_float(w + 2u)); }
k_filter_light k_filter_light_at(uint w) {
  return k_filter_light(words[w], words[w + 1u], word_float(w + 2u), word_float(w + 3u), word_float(w + 4u),
                        word_float(w + 5u), word_float(w + 6u), word_float(w + 7u), k_vec3_at(w + 8u),
                        k_vec3_at(w + 11u), word_float(w + 14u), word_float(w + 15u));
}
g_light_words g_light_words_at(uint w) {
  return g_light_words(word_int(w), word_int(w + 1u), word_int(w + 2u), word_int(w + 3u), k_filter_light_at(w + 4u));
}
k_matrix k_matrix_at(uint w) {
  return k_matrix(word_float(w), word_float(w + 1u), word_float(w + 2u), word_float(w + 3u), word_float(w + 4u),
                  word_float(w + 5u));
}
k_noise_params k_noise_params_at(uint w) {
  return k_noise_params(k_matrix_at(w), word_int(w + 6u), words[w + 7u], words[w + 8u], word_int(w + 9u),
                        word_int(w + 10u), word_int(w + 11u), word_int(w + 12u));
}
k_filter_tile k_filter_tile_at(uint w) {
  return k_filter_tile(word_int(w), word_int(w + 1u), word_int(w + 2u), word_int(w + 3u), words[w + 4u]);
}
k_filter_row k_filter_row_at(uint w) {
  return k_filter_row(word_float(w), word_float(w + 1u), word_float(w + 2u), word_float(w + 3u), word_float(w + 4u));
}
k_filter_matrix k_filter_matrix_at(uint w) {
  return k_filter_matrix(k_filter_row_at(w), k_filter_row_at(w + 5u), k_filter_row_at(w + 10u),
                         k_filter_row_at(w + 15u));
}
k_filter_arithmetic k_filter_arithmetic_at(uint w) {
  return k_filter_arithmetic(word_float(w), word_float(w + 1u), word_float(w + 2u), word_float(w + 3u));
}
