// stijl-view: shows SVG documents and saved scenes in a window, as `stijl` draws them. `stijl view` starts it, and has
// the description of its options and keys (cli/commands.c).
#include <SDL.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clipboard.h"
#include "costs.h"
#include "document.h"
#include "panel.h"
#include "view.h"

#define LOOK_MS 200  // how often the file is looked at
#define FRAME_MS 16  // between the frames of an animation
#define FRAMES 31    // whose median is told
#define COSTS_MS 20  // how long costs are measured before events are looked at
#define MAP_MS 100   // between two pictures of a map that is not finished
#define ZOOM_STEP 1.2
#define PAN_STEP 60

enum { CPU, GPU, RENDERERS };
typedef enum ground { CHECKS, LIGHT, DARK, GROUNDS } ground;

typedef struct viewer {
  stijl_context *context;
  stijl_renderer *renderers[RENDERERS];  // a GPU's once it is asked for
  stijl_renderer_params params;
  int drawing;  // which of them
  panel *panel;
  costs *costs;
  int map;            // COSTS_...; COSTS_MAPS: none is shown
  view measured;      // the view whose costs are measured, and
  unsigned measures;  // the document's number of scenes then
  SDL_Window *window;
  SDL_Renderer *screen;
  SDL_Texture *texture;
  int width, height;  // of the texture, in pixels
  unsigned char *pixels;
  char **paths;
  int path_count, path;
  document document;
  view view;
  ground ground;
  double ms[FRAMES];
  int frames;
  bool plays, panels, dirty, quit, drags_time;
  uint64_t played_ms;  // when the time was set last
  uint64_t drawn_ms;   // when the window was drawn last
  double pointer_x, pointer_y;
  stijl_message note;  // of the last command; "": none
} viewer;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "stijl-view: %s: %s\n", what, why);
  exit(1);
}

static void fit(viewer *v) {
  v->view = view_fit(v->document.width, v->document.height, v->width, v->height);
  v->dirty = true;
}

static void show_title(viewer *v) {
  char title[512];
  const char *slash = strrchr(v->paths[v->path], '/');
  snprintf(title, sizeof title, "%s - stijl", slash ? slash + 1 : v->paths[v->path]);
  SDL_SetWindowTitle(v->window, title);
}

static void open_path(viewer *v, int path) {
  double time = v->document.time;
  document_close(&v->document);
  v->path = path;
  document_open(&v->document, v->context, v->paths[path], time);
  v->plays = document_length(&v->document) > 0.0 && v->plays;
  v->frames = 0;
  show_title(v);
  fit(v);
}

// --- the window ---

static void make_texture(viewer *v) {
  int width, height;
  SDL_GetRendererOutputSize(v->screen, &width, &height);
  if (v->texture && width == v->width && height == v->height) return;
  if (v->texture) SDL_DestroyTexture(v->texture);
  v->texture = SDL_CreateTexture(v->screen, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, width, height);
  free(v->pixels);
  v->pixels = malloc((size_t)width * (size_t)height * 4);
  if (!v->texture || !v->pixels) fail("window", "out of memory");
  v->width = width;
  v->height = height;
  if (v->view.fits) fit(v);
  v->dirty = true;
}

static void open_window(viewer *v, int width, int height) {
  SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
  if (SDL_Init(SDL_INIT_VIDEO) != 0) fail("no window can be opened", SDL_GetError());
  v->window = SDL_CreateWindow("stijl", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height,
                               SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (!v->window) fail("no window can be opened", SDL_GetError());
  v->screen = SDL_CreateRenderer(v->window, -1, 0);
  if (!v->screen) fail("no window can be opened", SDL_GetError());
  SDL_StopTextInput();
  make_texture(v);
}

// Returns how many pixels there are to each of the places that events tell, which differ on dense displays.
static double density(const viewer *v) {
  int width, height;
  SDL_GetWindowSize(v->window, &width, &height);
  return width > 0 ? (double)v->width / width : 1.0;
}

// --- drawing ---

static stijl_renderer *renderer_of(viewer *v, int which) {
  if (v->renderers[which]) return v->renderers[which];
  stijl_renderer_params params = v->params;
  params.backend = which == GPU ? STIJL_BACKEND_VULKAN : STIJL_BACKEND_CPU;
  if (stijl_renderer_create(v->context, &params, &v->renderers[which], &v->note) != STIJL_OK) return NULL;
  return v->renderers[which];
}

static void paint_ground(viewer *v) {
  for (int y = 0; y < v->height; y++) {
    uint32_t *row = (uint32_t *)(void *)(v->pixels + (size_t)y * (size_t)v->width * 4);
    for (int x = 0; x < v->width; x++) row[x] = (x >> 4 ^ y >> 4) & 1 ? 0xffe3e5e9 : 0xffffffff;
  }
}

static bool draw_scene(viewer *v, int which, const stijl_scene *scene, const stijl_render_params *params) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = v->width;
  target.height = v->height;
  target.format = STIJL_FORMAT_BGRA8;
  target.pixels = v->pixels;
  target.stride = (size_t)v->width * 4;
  stijl_renderer *renderer = renderer_of(v, which);
  return renderer && stijl_render(renderer, scene, &target, params, &v->note) == STIJL_OK;
}

static stijl_render_params view_params(const viewer *v) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.transform =
      (stijl_matrix){(float)v->view.scale, 0, 0, (float)v->view.scale, (float)v->view.x, (float)v->view.y};
  return params;
}

// Draws the picture without anything over it, and takes the time of that.
static void draw_picture(viewer *v) {
  stijl_render_params params = view_params(v);
  params.keep = v->ground == CHECKS;
  params.background = v->ground == DARK ? (stijl_color){0.1f, 0.1f, 0.11f, 1} : (stijl_color){1, 1, 1, 1};
  if (v->ground == CHECKS || !v->document.scene) paint_ground(v);
  if (!v->document.scene) return;
  uint64_t start = SDL_GetPerformanceCounter();
  if (draw_scene(v, v->drawing, v->document.scene, &params))
    v->ms[v->frames++ % FRAMES] =
        (double)(SDL_GetPerformanceCounter() - start) * 1e3 / (double)SDL_GetPerformanceFrequency();
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median_ms(const viewer *v) {
  double sorted[FRAMES];
  int count = v->frames < FRAMES ? v->frames : FRAMES;
  memcpy(sorted, v->ms, sizeof sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, by_value);
  return count ? sorted[count / 2] : 0.0;
}

static float to_window(float at, double scale, double corner) { return (float)((double)at * scale + corner); }

// Finds the element below the pointer; its box is in pixels of the window.
static bool find_pointed(const viewer *v, char *line, size_t room, stijl_rect *box) {
  double scale = v->view.scale;
  stijl_svg_node node = STIJL_SVG_NODE_INIT;
  stijl_rect found;
  if (!document_find(&v->document, (float)((v->pointer_x - v->view.x) / scale),
                     (float)((v->pointer_y - v->view.y) / scale), &node, &found))
    return false;
  unsigned at = document_line(&v->document, node.offset);
  int used = snprintf(line, room, "<%s>%s%s  %.6g, %.6g  %.6g x %.6g", node.element, *node.id ? " #" : "", node.id,
                      (double)found.x0, (double)found.y0, (double)(found.x1 - found.x0), (double)(found.y1 - found.y0));
  if (at && used > 0 && (size_t)used < room) snprintf(line + used, room - (size_t)used, "  line %u", at);
  *box = (stijl_rect){to_window(found.x0, scale, v->view.x), to_window(found.y0, scale, v->view.y),
                      to_window(found.x1, scale, v->view.x), to_window(found.y1, scale, v->view.y)};
  return true;
}

// Begins anew with the costs where the window shows something else.
static void follow_costs(viewer *v) {
  const view *a = &v->measured, *b = &v->view;
  if (v->map == COSTS_MAPS || (costs_size_is(v->costs, v->width, v->height) && v->measures == v->document.scenes &&
                               a->scale == b->scale && a->x == b->x && a->y == b->y))
    return;
  v->measured = v->view;
  v->measures = v->document.scenes;
  if (!costs_begin(v->costs, v->width, v->height)) v->map = COSTS_MAPS;
}

static bool measures(const viewer *v) { return v->map != COSTS_MAPS && v->document.scene && !costs_done(v->costs); }

// Measures the costs of what the window shows for a while.
static void measure(viewer *v) {
  stijl_render_params params = view_params(v);
  if (!costs_measure(v->costs, v->document.scene, &params, COSTS_MS, &v->note)) v->map = COSTS_MAPS;
  if (!measures(v) || SDL_GetTicks64() - v->drawn_ms >= MAP_MS) v->dirty = true;
}

static void draw_map(viewer *v) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.keep = true;
  const stijl_scene *scene = costs_scene(v->costs, v->map);
  if (scene) draw_scene(v, CPU, scene, &params);
}

static void tell_costs(const viewer *v, char *line, size_t room) {
  static const char *const names[COSTS_MAPS] = {"us", "draws", "edges"};
  const costs_block *here = costs_at(v->costs, v->pointer_x, v->pointer_y);
  double most, mean;
  costs_find(v->costs, v->map, &most, &mean);
  int used = snprintf(line, room, "CPU, one thread: at most %.4g %s a block of %d x %d, %.4g in the mean%s", most,
                      names[v->map], COSTS_BLOCK, COSTS_BLOCK, mean, costs_done(v->costs) ? "" : " so far");
  if (here && used > 0 && (size_t)used < room)
    snprintf(line + used, room - (size_t)used, "; here %.4g us, %.0f draws, %.0f edges", here->of[COSTS_TIME],
             here->of[COSTS_DRAWS], here->of[COSTS_EDGES]);
}

static void draw_panel(viewer *v) {
  char about[320], pointed[320], cost[200], time[80];
  stijl_rect box;
  const document *d = &v->document;
  stijl_renderer *renderer = v->renderers[v->drawing];
  double length = document_length(d);
  panel_content content = {.position = length > 0.0 ? fmin(d->time / length, 1.0) : -1.0};
  int lines = 0;
  snprintf(about, sizeof about, "%s  %.6g x %.6g  %.4g %%  %.2f ms, %s", v->paths[v->path], d->width, d->height,
           v->view.scale * 100, median_ms(v), renderer ? stijl_renderer_device(renderer) : "");
  content.lines[lines++] = about;
  if (find_pointed(v, pointed, sizeof pointed, &box)) {
    content.lines[lines++] = pointed;
    content.box = &box;
  }
  if (v->map != COSTS_MAPS) {
    tell_costs(v, cost, sizeof cost);
    content.lines[lines++] = cost;
  }
  if (length > 0.0) {
    snprintf(time, sizeof time, "%.2f of %.2f s", d->time, length);
    content.lines[lines++] = time;
  }
  if (*d->message.text || *v->note.text) {
    content.lines[lines++] = *d->message.text ? d->message.text : v->note.text;
    content.failed = true;
  }
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.keep = true;
  const stijl_scene *scene = panel_scene(v->panel, v->width, v->height, &content);
  if (scene) draw_scene(v, CPU, scene, &params);
}

static void draw(viewer *v) {
  make_texture(v);
  follow_costs(v);
  draw_picture(v);
  if (v->map != COSTS_MAPS) draw_map(v);
  if (v->panels) draw_panel(v);
  v->dirty = false;
  v->drawn_ms = SDL_GetTicks64();
  SDL_UpdateTexture(v->texture, NULL, v->pixels, v->width * 4);
  SDL_RenderCopy(v->screen, v->texture, NULL, NULL);
  SDL_RenderPresent(v->screen);
}

// --- commands ---

static void zoom_middle(viewer *v, double factor) { view_zoom(&v->view, factor, v->width / 2.0, v->height / 2.0); }

static void copy(viewer *v) {
  draw_picture(v);
  if (clipboard_copy(v->context, v->width, v->height, STIJL_FORMAT_BGRA8, v->pixels, (size_t)v->width * 4, &v->note))
    snprintf(v->note.text, sizeof v->note.text, "copied as PNG");
}

// Shows the next map of costs, or none behind the last.
static void change_map(viewer *v) { v->map = (v->map + 1) % (COSTS_MAPS + 1); }

static void change_backend(viewer *v) {
  int other = v->drawing == CPU ? GPU : CPU;
  v->note.text[0] = 0;
  v->frames = 0;
  if (renderer_of(v, other)) v->drawing = other;
}

static void move_time(viewer *v, double seconds) {
  double length = document_length(&v->document);
  if (length <= 0.0) return;
  document_move(&v->document, fmin(fmax(seconds, 0.0), length));
  v->played_ms = SDL_GetTicks64();
  v->dirty = true;
}

static void press(viewer *v, SDL_Keycode key) {
  v->note.text[0] = 0;
  v->dirty = true;
  switch (key) {
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS: zoom_middle(v, ZOOM_STEP); break;
    case SDLK_MINUS:
    case SDLK_KP_MINUS: zoom_middle(v, 1 / ZOOM_STEP); break;
    case SDLK_0: fit(v); break;
    case SDLK_1: zoom_middle(v, 1 / v->view.scale); break;
    case SDLK_LEFT: view_pan(&v->view, PAN_STEP, 0); break;
    case SDLK_RIGHT: view_pan(&v->view, -PAN_STEP, 0); break;
    case SDLK_UP: view_pan(&v->view, 0, PAN_STEP); break;
    case SDLK_DOWN: view_pan(&v->view, 0, -PAN_STEP); break;
    case SDLK_b: v->ground = (v->ground + 1) % GROUNDS; break;
    case SDLK_g: change_backend(v); break;
    case SDLK_h: v->panels = !v->panels; break;
    case SDLK_c: copy(v); break;
    case SDLK_m: change_map(v); break;
    case SDLK_n: open_path(v, (v->path + 1) % v->path_count); break;
    case SDLK_p: open_path(v, (v->path + v->path_count - 1) % v->path_count); break;
    case SDLK_SPACE:
      v->plays = !v->plays && document_length(&v->document) > 0.0;
      v->played_ms = SDL_GetTicks64();
      break;
    case SDLK_PERIOD: move_time(v, v->document.time + 1.0 / 30); break;
    case SDLK_COMMA: move_time(v, v->document.time - 1.0 / 30); break;
    case SDLK_HOME: move_time(v, 0.0); break;
    case SDLK_END: move_time(v, HUGE_VAL); break;
    case SDLK_f:
      SDL_SetWindowFullscreen(
          v->window, SDL_GetWindowFlags(v->window) & SDL_WINDOW_FULLSCREEN_DESKTOP ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
      break;
    case SDLK_q:
    case SDLK_ESCAPE: v->quit = true; break;
    default: break;
  }
}

static void point_at_time(viewer *v) {
  v->plays = false;
  move_time(v, document_length(&v->document) * (v->pointer_x - 8) / fmax(v->width - 16, 1));
}

static void take(viewer *v, const SDL_Event *e) {
  double dense = density(v);
  switch (e->type) {
    case SDL_QUIT: v->quit = true; break;
    case SDL_KEYDOWN: press(v, e->key.keysym.sym); break;
    case SDL_WINDOWEVENT: v->dirty = true; break;
    case SDL_MOUSEWHEEL:
      view_zoom(&v->view, pow(ZOOM_STEP, (double)e->wheel.preciseY), v->pointer_x, v->pointer_y);
      v->dirty = true;
      break;
    case SDL_MOUSEBUTTONDOWN:
      v->drags_time =
          v->panels && document_length(&v->document) > 0.0 && e->button.y * dense > v->height - PANEL_TIME_LINE;
      if (v->drags_time) point_at_time(v);
      break;
    case SDL_MOUSEBUTTONUP: v->drags_time = false; break;
    case SDL_MOUSEMOTION:
      v->pointer_x = e->motion.x * dense;
      v->pointer_y = e->motion.y * dense;
      if (v->drags_time)
        point_at_time(v);
      else if (e->motion.state & SDL_BUTTON_LMASK)
        view_pan(&v->view, e->motion.xrel * dense, e->motion.yrel * dense);
      v->dirty = true;
      break;
    default: break;
  }
}

// Moves the time on as far as it has gone by, and begins again at the end.
static void play(viewer *v) {
  uint64_t now = SDL_GetTicks64();
  double length = document_length(&v->document), time = v->document.time + (double)(now - v->played_ms) * 1e-3;
  move_time(v, length > 0.0 ? fmod(time, length) : 0.0);
}

static void run(viewer *v) {
  uint64_t looked = SDL_GetTicks64();
  while (!v->quit) {
    SDL_Event event;
    bool came = SDL_WaitEventTimeout(&event, v->dirty || measures(v) ? 0 : v->plays ? FRAME_MS : LOOK_MS);
    bool idle = !came && !v->dirty;
    for (; came; came = SDL_PollEvent(&event)) take(v, &event);
    if (SDL_GetTicks64() - looked >= LOOK_MS) {
      looked = SDL_GetTicks64();
      if (document_follow(&v->document)) {
        if (v->view.fits) fit(v);
        v->dirty = true;
      }
    }
    if (v->plays) play(v);
    if (idle && measures(v)) measure(v);
    if (v->dirty && !v->quit) draw(v);
  }
}

static int whole_number(const char *text, const char *option, int least, int most) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*end || end == text || value < least || value > most) {
    fprintf(stderr, "stijl-view: %s takes a whole number from %d to %d\n", option, least, most);
    exit(1);
  }
  return (int)value;
}

int main(int argc, char **argv) {
  enum { DEVICE = 256, TIME, PLAY };
  static const struct option options[] = {
      {"width", required_argument, NULL, 'w'},   {"height", required_argument, NULL, 'h'},
      {"backend", required_argument, NULL, 'b'}, {"device", required_argument, NULL, DEVICE},
      {"threads", required_argument, NULL, 'j'}, {"time", required_argument, NULL, TIME},
      {"play", no_argument, NULL, PLAY},         {NULL, 0, NULL, 0}};
  viewer v = {.params = STIJL_RENDERER_PARAMS_INIT, .panels = true, .ground = CHECKS, .map = COSTS_MAPS};
  int width = 960, height = 720;
  for (int o; (o = getopt_long(argc, argv, "w:h:b:j:", options, NULL)) != -1;) switch (o) {
      case 'w': width = whole_number(optarg, "--width", 1, 16384); break;
      case 'h': height = whole_number(optarg, "--height", 1, 16384); break;
      case 'b':
        if (strcmp(optarg, "cpu") != 0 && strcmp(optarg, "vulkan") != 0) fail(optarg, "--backend takes cpu or vulkan");
        v.drawing = *optarg == 'v';
        break;
      case DEVICE: v.params.device_name = optarg; break;
      case 'j': v.params.threads = whole_number(optarg, "--threads", 0, 256); break;
      case TIME: v.document.time = strtod(optarg, NULL); break;
      case PLAY: v.plays = true; break;
      default: return 1;
    }
  if (!(v.document.time >= 0.0) || isinf(v.document.time)) fail("--time", "takes a number of seconds");
  if (optind == argc) fail("which file?", "stijl view FILE...; stijl view --help tells more");
  v.paths = argv + optind;
  v.path_count = argc - optind;
  if (stijl_context_create(NULL, &v.context) != STIJL_OK || !(v.panel = panel_create(v.context)) ||
      !(v.costs = costs_create(v.context)))
    fail("starting", "out of memory");
  if (!renderer_of(&v, v.drawing)) fail("--backend", v.note.text);
  double time = v.document.time;
  document_open(&v.document, v.context, v.paths[0], time);
  if (!v.document.scene && v.path_count == 1) fail(v.paths[0], v.document.message.text);
  v.view.fits = true;
  open_window(&v, width, height);
  show_title(&v);
  v.played_ms = SDL_GetTicks64();
  v.plays = v.plays && document_length(&v.document) > 0.0;
  run(&v);
  document_close(&v.document);
  panel_destroy(v.panel);
  costs_destroy(v.costs);
  for (int i = 0; i < RENDERERS; i++) stijl_renderer_destroy(v.renderers[i]);
  free(v.pixels);
  SDL_Quit();
  stijl_context_destroy(v.context);
  return 0;
}
