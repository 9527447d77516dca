//! What the Rust adapters share: the display list (format: ../../scenes.py) and the timing of frames (../../frames.h).
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Instant;

pub enum Segment {
    Move([f32; 2]),
    Line([f32; 2]),
    Cubic([f32; 6]),
    Close,
}

pub enum Paint {
    Solid(u32),
    Linear { line: [f32; 4], stops: Vec<(f32, u32)> },
    Radial { circle: [f32; 3], stops: Vec<(f32, u32)> },
    Sweep { center: [f32; 2], stops: Vec<(f32, u32)> },
    /// Repeated in both directions; `matrix` is from its pixels to the space of the path.
    Image { image: usize, sampling: Sampling, matrix: [f32; 6] },
}

pub enum Sampling {
    Nearest,
    Bilinear,
    Bicubic,
}

pub enum Cap {
    Butt,
    Round,
    Square,
}

pub enum Join {
    Miter,
    Round,
    Bevel,
}

pub enum Kind {
    Fill { even_odd: bool },
    Stroke { width: f32, cap: Cap, join: Join, miter_limit: f32, dashes: Vec<f32> },
    /// Layers: clips, groups with their opacity and blend mode, and where one ends. Their paint is of no use.
    Clip { even_odd: bool },
    Layer { opacity: f32, blend: String },
    Pop,
}

pub struct Draw {
    pub path: usize,
    pub kind: Kind,
    pub paint: Paint,
}

/// RGBA8, opaque: a picture made by a formula.
pub struct Image {
    pub width: u16,
    pub height: u16,
    pub pixels: Vec<u8>,
}

#[derive(Default)]
pub struct List {
    pub width: f32,
    pub height: f32,
    pub paths: Vec<Vec<Segment>>,
    pub draws: Vec<Draw>,
    pub images: Vec<Image>,
}

/// Red, green, blue, alpha of 0xRRGGBBAA.
pub fn channels(rgba: u32) -> [u8; 4] {
    rgba.to_be_bytes()
}

struct Words<'a>(SplitAsciiWhitespace<'a>);

impl Words<'_> {
    fn word(&mut self) -> &str {
        self.0.next().expect("line too short")
    }
    fn number<T: FromStr>(&mut self) -> T {
        self.word().parse().ok().expect("not a number")
    }
    fn numbers<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.number())
    }
    fn color(&mut self) -> u32 {
        u32::from_str_radix(self.word(), 16).expect("not a colour")
    }
    fn stops(&mut self) -> Vec<(f32, u32)> {
        let count = self.number();
        (0..count).map(|_| (self.number(), self.color())).collect()
    }
    fn paint(&mut self) -> Paint {
        match self.word() {
            "solid" => Paint::Solid(self.color()),
            "lin" => Paint::Linear { line: self.numbers(), stops: self.stops() },
            "rad" => Paint::Radial { circle: self.numbers(), stops: self.stops() },
            "swp" => Paint::Sweep { center: self.numbers(), stops: self.stops() },
            _ => {
                let image = self.number();
                let sampling = match self.word() {
                    "nearest" => Sampling::Nearest,
                    "bilinear" => Sampling::Bilinear,
                    _ => Sampling::Bicubic,
                };
                Paint::Image { image, sampling, matrix: self.numbers() }
            }
        }
    }
    fn image(&mut self) -> Image {
        let [width, height]: [u16; 2] = std::array::from_fn(|_| self.number());
        let mut pixels = Vec::new();
        for y in 0..u32::from(height) {
            for x in 0..u32::from(width) {
                pixels.extend([(x * 3 + y) as u8, ((x ^ y) * 5) as u8, (x * y >> 4) as u8, 255]);
            }
        }
        Image { width, height, pixels }
    }
    fn path(&mut self) -> Vec<Segment> {
        let mut segments = Vec::new();
        while let Some(command) = self.0.next() {
            segments.push(match command {
                "M" => Segment::Move(self.numbers()),
                "L" => Segment::Line(self.numbers()),
                "C" => Segment::Cubic(self.numbers()),
                _ => Segment::Close,
            });
        }
        segments
    }
    fn stroke(&mut self) -> Kind {
        let width = self.number();
        let cap = match self.word() {
            "round" => Cap::Round,
            "square" => Cap::Square,
            _ => Cap::Butt,
        };
        let join = match self.word() {
            "round" => Join::Round,
            "bevel" => Join::Bevel,
            _ => Join::Miter,
        };
        Kind::Stroke { width, cap, join, miter_limit: self.number(), dashes: Vec::new() }
    }
}

impl List {
    fn load(file: &str) -> List {
        let text = std::fs::read_to_string(file).expect(file);
        let mut list = List::default();
        for line in text.lines() {
            let mut words = Words(line.split_ascii_whitespace());
            let mut kind = match words.0.next() {
                Some("dl1") => {
                    [list.width, list.height] = words.numbers();
                    continue;
                }
                Some("P") => {
                    list.paths.push(words.path());
                    continue;
                }
                Some("I") => {
                    list.images.push(words.image());
                    continue;
                }
                Some("F") => Kind::Fill { even_odd: words.word() == "eo" },
                Some("S") => words.stroke(),
                Some("C") => Kind::Clip { even_odd: words.word() == "eo" },
                Some("L") => Kind::Layer { opacity: words.number(), blend: words.word().to_string() },
                Some(_) => Kind::Pop,
                None => continue,
            };
            let paint = match kind {
                Kind::Fill { .. } | Kind::Stroke { .. } => words.paint(),
                _ => Paint::Solid(0),
            };
            if let Kind::Stroke { dashes, .. } = &mut kind
                && words.0.next() == Some("dash")
            {
                let count = words.number();
                *dashes = (0..count).map(|_| words.number()).collect();
            }
            list.draws.push(Draw { path: list.paths.len() - 1, kind, paint });
        }
        list
    }
}

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
}

/// Seconds of processor time that this process has taken.
fn processor_seconds() -> f64 {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    let mut time = [0; 2];
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time[0] as f64 + time[1] as f64 * 1e-9
}

pub struct Options {
    pub file: String,
    pub list: List,
    pub size: u32,
    pub threads: u16,
    seconds: f64,
    min_frames: usize,
    dump: Option<String>,
}

impl Options {
    pub fn read() -> Options {
        let a: Vec<String> = std::env::args().collect();
        if a.len() < 6 {
            eprintln!("usage: {} SCENE SIZE THREADS SECONDS MIN_FRAMES [DUMP.ppm]", a[0]);
            std::process::exit(2);
        }
        fn number<T: FromStr>(text: &str) -> T {
            text.parse().ok().expect("not a number")
        }
        Options {
            file: a[1].clone(),
            list: if a[1].ends_with(".dl") { List::load(&a[1]) } else { List::default() },
            size: number(&a[2]),
            threads: number(&a[3]),
            seconds: number(&a[4]),
            min_frames: number(&a[5]),
            dump: a.get(6).cloned(),
        }
    }

    pub fn scale(&self) -> f32 {
        self.size as f32 / self.list.width
    }

    pub fn time_frames(&self, peer: &str, mut frame: impl FnMut()) {
        let ms = |since: Instant| since.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        frame();
        let first = ms(start);
        let (mut wall, mut cpu) = (Vec::new(), Vec::new());
        let start = Instant::now();
        while wall.len() < self.min_frames || start.elapsed().as_secs_f64() < self.seconds {
            let (before, cpu_before) = (Instant::now(), processor_seconds());
            frame();
            wall.push(ms(before));
            cpu.push((processor_seconds() - cpu_before) * 1e3);
        }
        let text = |values: &[f64]| values.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>().join(",");
        println!(
            "{{\"peer\":\"{peer}\",\"size\":{},\"threads\":{},\"first\":{first:.4},\"wall\":[{}],\"cpu\":[{}]}}",
            self.size,
            self.threads,
            text(&wall),
            text(&cpu)
        );
    }

    /// Writes RGBA pixels as a PPM file, if asked for.
    pub fn write_dump(&self, pixels: &[u8]) {
        let Some(file) = &self.dump else { return };
        let height = pixels.len() / 4 / self.size as usize;
        let mut out = format!("P6\n{} {height}\n255\n", self.size).into_bytes();
        for pixel in pixels.chunks_exact(4) {
            out.extend_from_slice(&pixel[..3]);
        }
        std::fs::write(file, out).expect(file);
    }
}
