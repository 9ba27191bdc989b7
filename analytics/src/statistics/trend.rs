//! The trend of a rate over months.
//!
//! See Armitage, "Tests for linear trends in proportions and frequencies", 1955.

use super::interval::{normal_p_value, normal_quantile};

/// The games of a month.
#[derive(Clone, Copy, Debug)]
pub struct Month {
    /// Years since the beginning of the calendar.
    pub years: f64,
    /// The rate of wins.
    pub rate: f64,
    /// The number of independent games.
    pub games: f64,
}

/// The straight line that is nearest to the rates of months.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// The change of the rate in a year.
    pub slope: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// The two-sided p-value of no trend.
    pub p_value: f64,
}

impl Trend {
    /// Fits the line, with the variance of months without a trend. Returns `None` for fewer than two months, or if no
    /// or all games are won.
    pub fn fit(months: &[Month]) -> Option<Trend> {
        // The spread of one month is not 0 to the last digit.
        if months.len() < 2 {
            return None;
        }
        let sum = |of: &dyn Fn(&Month) -> f64| -> f64 { months.iter().map(of).sum() };
        let games = sum(&|month| month.games);
        let middle = sum(&|month| month.games * month.years) / games;
        let rate = sum(&|month| month.games * month.rate) / games;
        let spread = sum(&|month| month.games * (month.years - middle).powi(2));
        let error = (rate * (1.0 - rate) / spread).sqrt();
        if !(error.is_finite() && error > 0.0) {
            return None;
        }
        let slope = sum(&|month| month.games * (month.years - middle) * month.rate) / spread;
        let half = normal_quantile() * error;
        Some(Trend {
            slope,
            low: slope - half,
            high: slope + half,
            p_value: normal_p_value(slope / error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn months(rates: &[f64], games: f64) -> Vec<Month> {
        let months = rates.iter().enumerate();
        months
            .map(|(number, rate)| Month {
                years: 2026.0 + number as f64 / 12.0,
                rate: *rate,
                games,
            })
            .collect()
    }

    #[test]
    fn a_trend_is_the_change_in_a_year() {
        // One point more each month: 12 in a year. Variance by hand: 0.255 (1 - 0.255) / (100 * 143 / 144 / 12 * 12).
        let rates: Vec<f64> = (0..12).map(|month| 0.2 + 0.01 * f64::from(month)).collect();
        let found = Trend::fit(&months(&rates, 100.0)).expect("a trend");
        assert!((found.slope - 0.12).abs() < 1e-9, "{found:?}");
        let error = (0.255_f64 * 0.745 / (100.0 * 143.0 / 144.0)).sqrt();
        assert!(
            (found.high - 0.12 - 1.959964 * error).abs() < 1e-6,
            "{found:?}"
        );
        assert!(found.low < 0.12 && found.p_value < 0.01, "{found:?}");
        let even = Trend::fit(&months(&[0.25; 6], 50.0)).expect("a trend");
        assert!(even.slope.abs() < 1e-9 && even.p_value > 0.999, "{even:?}");
    }

    #[test]
    fn one_month_has_no_trend() {
        assert_eq!(Trend::fit(&months(&[0.3], 100.0)), None);
        let november = Month {
            years: 24_322.0 / 12.0,
            rate: 0.26,
            games: 33.3,
        };
        assert_eq!(Trend::fit(&[november]), None);
        assert_eq!(Trend::fit(&months(&[0.0, 0.0], 100.0)), None);
    }
}
