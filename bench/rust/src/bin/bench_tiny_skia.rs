//! tiny-skia as an adapter of the benchmark.
use peers::{Cap, Join, Kind, Options, Paint, Segment, channels};
use tiny_skia as ts;

fn color(rgba: u32) -> ts::Color {
    let [r, g, b, a] = channels(rgba);
    ts::Color::from_rgba8(r, g, b, a)
}

fn build_path(segments: &[Segment]) -> ts::Path {
    let mut builder = ts::PathBuilder::new();
    for segment in segments {
        match *segment {
            Segment::Move([x, y]) => builder.move_to(x, y),
            Segment::Line([x, y]) => builder.line_to(x, y),
            Segment::Cubic([x1, y1, x2, y2, x, y]) => builder.cubic_to(x1, y1, x2, y2, x, y),
            Segment::Close => builder.close(),
        }
    }
    builder.finish().expect("path")
}

fn build_paint(paint: &Paint) -> ts::Paint<'static> {
    let mut built = ts::Paint { anti_alias: true, ..Default::default() };
    match paint {
        Paint::Solid(rgba) => built.set_color(color(*rgba)),
        Paint::Linear { line: [x0, y0, x1, y1], stops } => {
            built.shader = ts::LinearGradient::new(
                ts::Point::from_xy(*x0, *y0),
                ts::Point::from_xy(*x1, *y1),
                stops.iter().map(|(offset, rgba)| ts::GradientStop::new(*offset, color(*rgba))).collect(),
                ts::SpreadMode::Pad,
                ts::Transform::identity(),
            )
            .expect("gradient");
        }
        _ => panic!("this adapter has solid and linear paints"),
    }
    built
}

fn main() {
    let options = Options::read();
    let list = &options.list;
    let paths: Vec<_> = list.paths.iter().map(|p| build_path(p)).collect();
    let paints: Vec<_> = list.draws.iter().map(|d| build_paint(&d.paint)).collect();
    let mut pixmap = ts::Pixmap::new(options.size, options.size).expect("pixmap");
    let transform = ts::Transform::from_scale(options.scale(), options.scale());
    options.time_frames("tiny_skia", || {
        pixmap.fill(ts::Color::WHITE);
        for (draw, paint) in list.draws.iter().zip(&paints) {
            let path = &paths[draw.path];
            match &draw.kind {
                Kind::Fill { even_odd } => {
                    let rule = if *even_odd { ts::FillRule::EvenOdd } else { ts::FillRule::Winding };
                    pixmap.fill_path(path, paint, rule, transform, None);
                }
                Kind::Stroke { width, cap, join, miter_limit, dashes } if dashes.is_empty() => {
                    let stroke = ts::Stroke {
                        width: *width,
                        miter_limit: *miter_limit,
                        line_cap: match cap {
                            Cap::Butt => ts::LineCap::Butt,
                            Cap::Round => ts::LineCap::Round,
                            Cap::Square => ts::LineCap::Square,
                        },
                        line_join: match join {
                            Join::Miter => ts::LineJoin::Miter,
                            Join::Round => ts::LineJoin::Round,
                            Join::Bevel => ts::LineJoin::Bevel,
                        },
                        dash: None,
                    };
                    pixmap.stroke_path(path, paint, &stroke, transform, None);
                }
                _ => panic!("this adapter has fills, and strokes without dashes"),
            }
        }
    });
    options.write_dump(pixmap.data());
}
