//! resvg as an adapter of filters.py: an SVG document, whose tree is drawn again and again.
use peers::Options;
use resvg::{tiny_skia as ts, usvg};

fn main() {
    let options = Options::read();
    let text = std::fs::read(&options.file).expect("document");
    let tree = usvg::Tree::from_data(&text, &usvg::Options::default()).expect("SVG");
    let mut pixmap = ts::Pixmap::new(options.size, options.size).expect("pixmap");
    options.time_frames("resvg", || {
        pixmap.fill(ts::Color::WHITE);
        resvg::render(&tree, ts::Transform::identity(), &mut pixmap.as_mut());
    });
    options.write_dump(pixmap.data());
}
