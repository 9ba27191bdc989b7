//! Symmetric systems of linear equations, solved by Cholesky decomposition.
//!
//! Own code, because sums must be computed in the same order on each machine. Crates for large matrices select
//! instructions by processor.

/// A symmetric matrix, stored as its lower triangle, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Symmetric {
    rows: Vec<Vec<f64>>,
}

impl Symmetric {
    /// Returns a diagonal matrix.
    pub fn diagonal(numbers: &[f64]) -> Symmetric {
        let row = |(index, number): (usize, &f64)| {
            let mut row = vec![0.0; index + 1];
            row[index] = *number;
            row
        };
        Symmetric {
            rows: numbers.iter().enumerate().map(row).collect(),
        }
    }

    /// Adds to an element of the lower triangle; other elements are ignored.
    pub fn add(&mut self, row: usize, column: usize, number: f64) {
        if column <= row {
            self.rows[row][column] += number;
        }
    }
}

/// The lower triangle whose product with its transpose is the matrix.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Decomposes a positive definite matrix.
    pub fn decompose(matrix: Symmetric) -> Cholesky {
        let mut rows = matrix.rows;
        for index in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(index);
            let row = &mut rest[0];
            for column in 0..index {
                let number = row[column] - product(row, &done[column], column);
                row[column] = number / done[column][column];
            }
            let square = row[index] - product(row, row, index);
            // Positive except for rounding errors.
            row[index] = square.max(f64::MIN_POSITIVE).sqrt();
        }
        Cholesky { rows }
    }

    /// Solves the system for the right-hand side.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut numbers = right.to_vec();
        for (index, row) in self.rows.iter().enumerate() {
            numbers[index] = (numbers[index] - product(row, &numbers, index)) / row[index];
        }
        for (index, row) in self.rows.iter().enumerate().rev() {
            let number = numbers[index] / row[index];
            numbers[index] = number;
            for (other, factor) in numbers[..index].iter_mut().zip(row) {
                *other -= factor * number;
            }
        }
        numbers
    }

    /// Returns the logarithm of the determinant of the matrix.
    pub fn log_determinant(&self) -> f64 {
        let diagonal = self.rows.iter().filter_map(|row| row.last());
        2.0 * diagonal.map(|number| number.ln()).sum::<f64>()
    }
}

fn product(one: &[f64], other: &[f64], length: usize) -> f64 {
    let pairs = one[..length].iter().zip(&other[..length]);
    pairs.map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: the triangle is (2; 6 1; -8 5 3), a textbook's matrix.
    #[test]
    fn equations_are_solved() {
        let mut matrix = Symmetric::diagonal(&[4.0, 37.0, 98.0]);
        for (row, column, number) in [(1, 0, 12.0), (2, 0, -16.0), (2, 1, -43.0)] {
            matrix.add(row, column, number);
            matrix.add(column, row, 1e9);
        }
        let triangle = Cholesky::decompose(matrix);
        assert_eq!(triangle.rows[2], [-8.0, 5.0, 3.0]);
        assert!((triangle.log_determinant() - 36f64.ln()).abs() < 1e-12);
        // (4 12 -16; 12 37 -43; -16 -43 98) times (1, 2, 3).
        let found = triangle.solve(&[-20.0, -43.0, 192.0]);
        for (found, number) in found.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - number).abs() < 1e-9, "{found}, not {number}");
        }
    }
}
