//! Points and boxes, in units of the picture.

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The distance from the left.
    pub x: f64,
    /// The distance from the top.
    pub y: f64,
}

impl Point {
    /// Returns a point at these coordinates.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The distance to another point.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// A box with its sides along the axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Left side.
    pub x: f64,
    /// Upper side.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Area {
    /// Returns a box with this upper left corner and size.
    pub fn new(x: f64, y: f64, width: f64, height: f64) -> Area {
        Area {
            x,
            y,
            width,
            height,
        }
    }

    /// The right side.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// The lower side.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The centre.
    pub fn centre(&self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Whether it contains a point, including its sides.
    pub fn contains(&self, point: Point) -> bool {
        (self.x..=self.right()).contains(&point.x) && (self.y..=self.bottom()).contains(&point.y)
    }

    /// Whether it contains all of `other`.
    pub fn holds(&self, other: &Area) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// The area that both cover.
    pub fn overlap(&self, other: &Area) -> f64 {
        let width = self.right().min(other.right()) - self.x.max(other.x);
        let height = self.bottom().min(other.bottom()) - self.y.max(other.y);
        width.max(0.0) * height.max(0.0)
    }

    /// Returns the box enlarged by `margin` on every side.
    pub fn grown(&self, margin: f64) -> Area {
        Area::new(
            self.x - margin,
            self.y - margin,
            self.width + 2.0 * margin,
            self.height + 2.0 * margin,
        )
    }

    /// Returns the smallest box that contains both.
    pub fn with(&self, other: &Area) -> Area {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = self.right().max(other.right());
        let bottom = self.bottom().max(other.bottom());
        Area::new(x, y, right - x, bottom - y)
    }
}
