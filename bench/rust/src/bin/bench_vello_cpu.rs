//! vello_cpu as an adapter of the benchmark.
use std::sync::Arc;

use peers::{Cap, Join, Kind, Options, Paint, Sampling, Segment, channels};
use vello_cpu::color::{AlphaColor, Srgb};
use vello_cpu::kurbo::{self, Affine, BezPath, Point, Stroke};
use vello_cpu::peniko::{
    ColorStop, ColorStops, Extend, Fill, Gradient, ImageQuality, ImageSampler, LinearGradientPosition, Mix,
    RadialGradientPosition, SweepGradientPosition,
};
use vello_cpu::{
    Image, ImageSource, Level, PaintType, Pixmap, RasterizerSettings, RenderContext, RenderSettings, Resources, TargetInit,
};

fn color(rgba: u32) -> AlphaColor<Srgb> {
    let [r, g, b, a] = channels(rgba);
    AlphaColor::from_rgba8(r, g, b, a)
}

fn point(x: f32, y: f32) -> Point {
    Point::new(x.into(), y.into())
}

fn build_path(segments: &[Segment]) -> BezPath {
    let mut path = BezPath::new();
    for segment in segments {
        match *segment {
            Segment::Move([x, y]) => path.move_to(point(x, y)),
            Segment::Line([x, y]) => path.line_to(point(x, y)),
            Segment::Cubic([x1, y1, x2, y2, x, y]) => path.curve_to(point(x1, y1), point(x2, y2), point(x, y)),
            Segment::Close => path.close_path(),
        }
    }
    path
}

fn build_stops(stops: &[(f32, u32)]) -> ColorStops {
    let stops: Vec<_> = stops.iter().map(|(offset, rgba)| ColorStop::from((*offset, color(*rgba)))).collect();
    ColorStops::from(&stops[..])
}

fn build_image(image: &peers::Image) -> Arc<Pixmap> {
    let mut pixmap = Pixmap::new(image.width, image.height);
    pixmap.data_as_u8_slice_mut().copy_from_slice(&image.pixels);
    pixmap.set_may_have_transparency(false);
    Arc::new(pixmap)
}

/// A paint, and its transform.
fn build_paint(paint: &Paint, images: &[Arc<Pixmap>]) -> (PaintType, Affine) {
    let gradient = |kind, stops: &[(f32, u32)]| -> (PaintType, Affine) {
        let gradient = Gradient { kind, stops: build_stops(stops), extend: Extend::Pad, ..Default::default() };
        (gradient.into(), Affine::IDENTITY)
    };
    match paint {
        Paint::Solid(rgba) => (color(*rgba).into(), Affine::IDENTITY),
        Paint::Linear { line: [x0, y0, x1, y1], stops } => {
            gradient(LinearGradientPosition { start: point(*x0, *y0), end: point(*x1, *y1) }.into(), stops)
        }
        Paint::Radial { circle: [x, y, r], stops } => gradient(RadialGradientPosition::new(point(*x, *y), *r).into(), stops),
        Paint::Sweep { center: [x, y], stops } => {
            gradient(SweepGradientPosition::new(point(*x, *y), 0.0, std::f32::consts::TAU).into(), stops)
        }
        Paint::Image { image, sampling, matrix } => {
            let quality = match sampling {
                Sampling::Nearest => ImageQuality::Low,
                Sampling::Bilinear => ImageQuality::Medium,
                Sampling::Bicubic => ImageQuality::High,
            };
            let sampler = ImageSampler { x_extend: Extend::Repeat, y_extend: Extend::Repeat, quality, alpha: 1.0 };
            let image = Image { image: ImageSource::Pixmap(images[*image].clone()), sampler };
            (image.into(), Affine::new(matrix.map(f64::from)))
        }
    }
}

fn build_stroke(width: f32, cap: &Cap, join: &Join, miter_limit: f32, dashes: &[f32]) -> Stroke {
    let cap = match cap {
        Cap::Butt => kurbo::Cap::Butt,
        Cap::Round => kurbo::Cap::Round,
        Cap::Square => kurbo::Cap::Square,
    };
    let join = match join {
        Join::Miter => kurbo::Join::Miter,
        Join::Round => kurbo::Join::Round,
        Join::Bevel => kurbo::Join::Bevel,
    };
    Stroke::new(width.into())
        .with_caps(cap)
        .with_join(join)
        .with_miter_limit(miter_limit.into())
        .with_dashes(0.0, dashes.iter().map(|dash| f64::from(*dash)))
}

fn main() {
    let options = Options::read();
    let list = &options.list;
    let paths: Vec<_> = list.paths.iter().map(|p| build_path(p)).collect();
    let images: Vec<_> = list.images.iter().map(build_image).collect();
    let paints: Vec<_> = list.draws.iter().map(|d| build_paint(&d.paint, &images)).collect();
    // No workers: the single-threaded dispatcher. Otherwise the main thread works beside them.
    let settings = RenderSettings {
        level: Level::try_detect().unwrap_or(Level::baseline()),
        num_threads: options.threads.saturating_sub(1),
    };
    let size = options.size as u16;
    let mut context = RenderContext::new_with(size, size, settings);
    let mut resources = Resources::new();
    let mut pixmap = Pixmap::new(size, size);
    let rasterizer = RasterizerSettings { target_init: TargetInit::Clear(AlphaColor::WHITE), ..Default::default() };
    options.time_frames("vello_cpu", || {
        context.reset();
        context.set_transform(Affine::scale(options.scale().into()));
        for (draw, (paint, paint_transform)) in list.draws.iter().zip(&paints) {
            let rule = |even_odd| if even_odd { Fill::EvenOdd } else { Fill::NonZero };
            if let Kind::Fill { .. } | Kind::Stroke { .. } = draw.kind {
                context.set_paint(paint.clone());
                context.set_paint_transform(*paint_transform);
            }
            match &draw.kind {
                Kind::Fill { even_odd } => {
                    context.set_fill_rule(rule(*even_odd));
                    context.fill_path(&paths[draw.path]);
                }
                Kind::Stroke { width, cap, join, miter_limit, dashes } => {
                    context.set_stroke(build_stroke(*width, cap, join, *miter_limit, dashes));
                    context.stroke_path(&paths[draw.path]);
                }
                Kind::Clip { even_odd } => {
                    context.set_fill_rule(rule(*even_odd));
                    context.push_clip_layer(&paths[draw.path]);
                }
                Kind::Layer { opacity, blend } => {
                    let mix = match blend.as_str() {
                        "multiply" => Mix::Multiply,
                        "screen" => Mix::Screen,
                        "overlay" => Mix::Overlay,
                        _ => Mix::Normal,
                    };
                    context.push_layer(None, Some(mix.into()), Some(*opacity), None, None);
                }
                Kind::Pop => context.pop_layer(),
            }
        }
        context.flush();
        context.render_with(&mut pixmap, &mut resources, rasterizer);
    });
    options.write_dump(pixmap.data_as_u8_slice());
}
