//! vello_cpu draws the page of glyphs that ../../page.c writes, as glyph runs of its own.
//!
//!   bench_vello_page PAGE WIDTH THREADS SECONDS MIN_FRAMES [DUMP.ppm]
//!
//! With BENCH_ATLAS=1 glyphs are drawn once for each quarter of a pixel, on whole rows, and copied from there.
use peers::Options;
use std::sync::Arc;
use vello_cpu::color::{AlphaColor, Srgb};
use vello_cpu::peniko::{Blob, FontData};
use vello_cpu::{Glyph, Level, Pixmap, RasterizerSettings, RenderContext, RenderSettings, Resources, TargetInit};

struct Run {
    size: f32,
    color: AlphaColor<Srgb>,
    glyphs: Vec<Glyph>,
}

struct Page {
    width: u16,
    height: u16,
    font: FontData,
    runs: Vec<Run>,
}

/// The format is told at `write_page` in page.c.
fn load(file: &str) -> Page {
    let text = std::fs::read_to_string(file).expect(file);
    let mut lines = text.lines();
    let mut head = lines.next().expect("no gl1 line").splitn(4, ' ');
    assert_eq!(head.next(), Some("gl1"));
    let mut number = || head.next().expect("gl1 line too short").parse().expect("not a number");
    let (width, height) = (number(), number());
    let font = std::fs::read(head.next().expect("no font")).expect("font");
    let mut page = Page { width, height, font: FontData::new(Blob::new(Arc::new(font)), 0), runs: Vec::new() };
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let float = |i: usize| words[i].parse::<f32>().expect("not a number");
        if words[0] == "R" {
            let [r, g, b, a] = u32::from_str_radix(words[2], 16).expect("no colour").to_be_bytes();
            page.runs.push(Run { size: float(1), color: AlphaColor::from_rgba8(r, g, b, a), glyphs: Vec::new() });
        } else {
            let glyph = Glyph { id: words[1].parse().expect("no glyph"), x: float(2), y: float(3) };
            page.runs.last_mut().expect("a glyph without a run").glyphs.push(glyph);
        }
    }
    page
}

fn main() {
    let options = Options::read();
    let atlas = std::env::var_os("BENCH_ATLAS").is_some();
    let page = load(&options.file);
    let settings = RenderSettings {
        level: Level::try_detect().unwrap_or(Level::baseline()),
        num_threads: options.threads.saturating_sub(1),
    };
    let mut context = RenderContext::new_with(page.width, page.height, settings);
    let mut resources = Resources::new();
    let mut pixmap = Pixmap::new(page.width, page.height);
    let rasterizer = RasterizerSettings { target_init: TargetInit::Clear(AlphaColor::WHITE), ..Default::default() };
    options.time_frames(if atlas { "vello_cpu (atlas)" } else { "vello_cpu" }, || {
        context.reset();
        for run in &page.runs {
            context.set_paint(run.color);
            context
                .glyph_run(&mut resources, &page.font)
                .font_size(run.size)
                .hint(false)
                .atlas_cache(atlas)
                .fill_glyphs(run.glyphs.iter().copied())
                .expect("glyphs");
        }
        context.flush();
        context.render_with(&mut pixmap, &mut resources, rasterizer);
    });
    options.write_dump(pixmap.data_as_u8_slice());
}
