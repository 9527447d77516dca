//! vello_cpu as an adapter of the benchmark.
use peers::{Cap, Join, Kind, Options, Paint, Segment, channels};
use vello_cpu::color::{AlphaColor, Srgb};
use vello_cpu::kurbo::{self, Affine, BezPath, Point, Stroke};
use vello_cpu::peniko::{ColorStop, ColorStops, Extend, Fill, Gradient, LinearGradientPosition};
use vello_cpu::{Level, PaintType, Pixmap, RasterizerSettings, RenderContext, RenderSettings, Resources, TargetInit};

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

fn build_paint(paint: &Paint) -> PaintType {
    match paint {
        Paint::Solid(rgba) => color(*rgba).into(),
        Paint::Linear { line: [x0, y0, x1, y1], stops } => {
            let stops: Vec<_> = stops.iter().map(|(offset, rgba)| ColorStop::from((*offset, color(*rgba)))).collect();
            Gradient {
                kind: LinearGradientPosition { start: point(*x0, *y0), end: point(*x1, *y1) }.into(),
                stops: ColorStops::from(&stops[..]),
                extend: Extend::Pad,
                ..Default::default()
            }
            .into()
        }
    }
}

fn build_stroke(width: f32, cap: &Cap, join: &Join, miter_limit: f32) -> Stroke {
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
    Stroke::new(width.into()).with_caps(cap).with_join(join).with_miter_limit(miter_limit.into())
}

fn main() {
    let options = Options::read();
    let list = &options.list;
    let paths: Vec<_> = list.paths.iter().map(|p| build_path(p)).collect();
    let paints: Vec<_> = list.draws.iter().map(|d| build_paint(&d.paint)).collect();
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
        for (draw, paint) in list.draws.iter().zip(&paints) {
            context.set_paint(paint.clone());
            match &draw.kind {
                Kind::Fill { even_odd } => {
                    context.set_fill_rule(if *even_odd { Fill::EvenOdd } else { Fill::NonZero });
                    context.fill_path(&paths[draw.path]);
                }
                Kind::Stroke { width, cap, join, miter_limit } => {
                    context.set_stroke(build_stroke(*width, cap, join, *miter_limit));
                    context.stroke_path(&paths[draw.path]);
                }
            }
        }
        context.flush();
        context.render_with(&mut pixmap, &mut resources, rasterizer);
    });
    options.write_dump(pixmap.data_as_u8_slice());
}
