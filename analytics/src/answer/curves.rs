//! Pictures of tables with one row for each round, as curves.

use std::collections::BTreeSet;

use charts::{
    Along, Chart, Curve, Curves, Forest, HeatMaps, Panel, Spot, Theme, Upwards, chart, curves,
    heat_maps, tree, words,
};
use polars::prelude::PolarsResult;

use super::rows::RowCells;
use super::table::StatisticsTable;
use crate::measures::{CurveColumns, TableShape, months_of_calendar};

/// The unit of curves by round.
const BY_ROUND: &str = "by the end of round";

/// The most curves for numbers of personages.
const LINES: usize = 4;

/// The picture of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// A chart with a line for each row.
    Rows(Chart),
    /// Curves through the rows.
    Lines(Curves),
    /// Rows of two keys as a heat map for each format.
    Heat(HeatMaps),
    /// Trees of rows, for measures of openings.
    Trees(Forest),
}

impl Picture {
    /// Renders the picture as SVG with this width.
    pub fn svg(&self, width: u32, theme: Theme) -> String {
        match self {
            Picture::Rows(rows) => chart(rows, width, theme),
            Picture::Lines(lines) => curves(lines, width, theme),
            Picture::Heat(maps) => heat_maps(maps, width, theme),
            Picture::Trees(forest) => tree(forest, width, theme),
        }
    }

    /// Returns the number of rows, curves or branches.
    pub fn len(&self) -> usize {
        match self {
            Picture::Rows(chart) => chart.groups.iter().map(|group| group.rows.len()).sum(),
            Picture::Lines(curves) => curves.panels.iter().map(|panel| panel.lines.len()).sum(),
            Picture::Heat(picture) => picture.maps.iter().map(|map| map.rows.len()).sum(),
            Picture::Trees(forest) => forest.trees.iter().map(|tree| 1 + tree.root.len()).sum(),
        }
    }

    /// True if the picture is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keeps the first parts that together have at most `most` rows, but at least one part.
    /// Returns how many rows are removed.
    pub fn limit(&mut self, most: usize) -> usize {
        fn cut<T>(parts: &mut Vec<T>, most: usize, rows: impl Fn(&T) -> usize) -> usize {
            let (all, mut sum) = (parts.len(), 0);
            let fits = parts.iter().take_while(|part| {
                sum += rows(part);
                sum <= most
            });
            let fits = fits.count().max(1);
            parts.truncate(fits);
            all.saturating_sub(fits)
        }
        match self {
            Picture::Rows(chart) => cut(&mut chart.groups, most, |group| group.rows.len()),
            Picture::Lines(curves) => cut(&mut curves.panels, most, |panel| panel.lines.len()),
            Picture::Heat(picture) => cut(&mut picture.maps, most, |map| map.rows.len()),
            Picture::Trees(forest) => cut(&mut forest.trees, most, |tree| 1 + tree.root.len()),
        }
    }

    /// Omits the title, the description and the notes, for a page that shows them beside the picture.
    pub fn set_bare(&mut self) {
        match self {
            Picture::Rows(chart) => chart.bare = true,
            Picture::Lines(curves) => curves.bare = true,
            Picture::Heat(picture) => picture.bare = true,
            Picture::Trees(forest) => forest.bare = true,
        }
    }

    /// Keeps only the parts whose titles match. A title begins with the format.
    pub fn keep(&mut self, wanted: impl Fn(&str) -> bool) {
        match self {
            Picture::Rows(chart) => chart.groups.retain(|group| wanted(&group.title)),
            Picture::Lines(curves) => curves.panels.retain(|panel| wanted(&panel.title)),
            Picture::Heat(picture) => picture.maps.retain(|map| wanted(&map.title)),
            Picture::Trees(forest) => forest.trees.retain(|tree| wanted(&tree.title)),
        }
    }
}

impl StatisticsTable {
    /// Draws the table as curves, trees or rows, as the measure declares.
    /// Each group has at most `most` rows, those with the most games. If `only` is given, only the groups with these
    /// names are drawn.
    ///
    /// # Errors
    /// See [`StatisticsTable::to_svg`].
    pub fn picture(&self, most: usize, only: Option<&str>) -> PolarsResult<Picture> {
        match self.measure.shape {
            TableShape::Curves(columns) => Ok(Picture::Lines(self.curves(columns, only)?)),
            TableShape::Heat => Ok(Picture::Heat(self.heat_maps()?)),
            TableShape::Tree => Ok(Picture::Trees(self.forest(most)?)),
            TableShape::Rows(figures) => Ok(Picture::Rows(self.chart(figures, most, only)?)),
        }
    }

    /// Draws curves by round, by month, or by the number of first personages.
    fn curves(&self, columns: CurveColumns, only: Option<&str>) -> PolarsResult<Curves> {
        let (omitted, along) = match columns.along {
            "month" => ("Months", Along::Months),
            "at" => ("Numbers", Along::Numbers("number of first personages")),
            _ => ("Rounds", Along::Numbers(BY_ROUND)),
        };
        let intervals = match columns.along {
            "by_round" => "; the bands are 95% intervals",
            _ => "",
        };
        let what = format!(
            "{}{intervals}. {omitted} with too few games are omitted.",
            columns.about
        );
        let upwards = match columns.value {
            "effect" => Upwards::Numbers,
            _ => Upwards::Parts,
        };
        Ok(Curves {
            title: self.measure.title().to_owned(),
            about: self.with_filters(&what),
            panels: panels(
                &self.read(|cells| CurveRow::read(cells, columns))?,
                (along, upwards),
                only,
            ),
            notes: self.notes(),
            bare: false,
        })
    }
}

/// A row of a measure that is drawn as curves.
struct CurveRow<'a> {
    format: String,
    by: &'a str,
    line: &'a str,
    spot: Spot,
    insufficient: bool,
}

impl<'a> CurveRow<'a> {
    fn read(cells: &RowCells<'a>, columns: CurveColumns) -> PolarsResult<CurveRow<'a>> {
        let along = match columns.along {
            "month" => months_of_calendar(cells.text("month")?),
            name => cells.count(name)?.into(),
        };
        Ok(CurveRow {
            format: cells.title()?,
            by: cells.text("by")?,
            line: cells.text(columns.line)?,
            spot: Spot {
                along,
                number: cells.number(columns.value)?,
                span: Some((cells.number("low")?, cells.number("high")?)),
            },
            insufficient: cells.flag("insufficient")?,
        })
    }
}

/// Groups the rows with enough games by format and key.
fn panels(rows: &[CurveRow], (along, upwards): (Along, Upwards), only: Option<&str>) -> Vec<Panel> {
    let mut panels: Vec<(&str, Panel)> = Vec::new();
    let is_drawn = |row: &&CurveRow| !row.insufficient && only.is_none_or(|only| only == row.by);
    for row in rows.iter().filter(is_drawn) {
        let title = match (row.by, along) {
            ("number", _) => format!("{} · number of personages", row.format),
            ("kind", Along::Numbers(BY_ROUND)) => {
                format!("{} · one of a kind or more", row.format)
            }
            (by, _) => format!("{} · {by}", row.format),
        };
        let place = panels.iter().position(|(_, panel)| panel.title == title);
        let place = place.unwrap_or_else(|| {
            let panel = Panel {
                title,
                along,
                upwards,
                lines: Vec::new(),
                left_out: 0,
            };
            panels.push((row.by, panel));
            panels.len() - 1
        });
        let lines = &mut panels[place].1.lines;
        let label = label(row.by, row.line);
        match lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.spots.push(row.spot),
            None => lines.push(Curve {
                label,
                spots: vec![row.spot],
            }),
        }
    }
    let panels = panels.into_iter().map(|(by, mut panel)| {
        for line in &mut panel.lines {
            line.spots
                .sort_by(|one, other| one.along.total_cmp(&other.along));
        }
        if by == "number" {
            panel.lines = select_curves(panel.lines);
        } else {
            // More bands than these would cover each other.
            let spots = panel.lines.iter_mut().flat_map(|line| &mut line.spots);
            spots.for_each(|spot| spot.span = None);
        }
        panel
    });
    panels.collect()
}

fn label(by: &str, line: &str) -> String {
    match (by, line) {
        ("number", "1") => "1 personage".to_owned(),
        ("number", count) => format!("{count} personages"),
        ("place", place) => format!("place {place}"),
        (_, level) => words(&level.replace(',', " and ")),
    }
}

/// Selects `LINES` curves at even distances, always with the first and the last.
fn select_curves(lines: Vec<Curve>) -> Vec<Curve> {
    if lines.len() <= LINES {
        return lines;
    }
    let last = lines.len() - 1;
    let kept: BTreeSet<usize> = (0..LINES).map(|place| place * last / (LINES - 1)).collect();
    let lines = lines.into_iter().enumerate();
    lines
        .filter_map(|(place, line)| kept.contains(&place).then_some(line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_by_round_are_lines_of_what_is_made_of_enough() {
        let row = |by, line, along, number, insufficient| CurveRow {
            format: "Antike East".to_owned(),
            by,
            line,
            spot: Spot {
                along,
                number,
                span: Some((number - 0.1, number + 0.1)),
            },
            insufficient,
        };
        let rows = [
            row("kind", "king", 4.0, 0.3, false),
            row("number", "1", 9.0, 0.25, false),
            row("number", "1", 5.0, 0.35, false),
            row("number", "2", 5.0, 0.9, true),
        ];
        let rounds = (Along::Numbers(BY_ROUND), Upwards::Parts);
        let all = panels(&rows, rounds, None);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].title, "Antike East · one of a kind or more");
        assert_eq!(
            (
                all[0].lines[0].label.as_str(),
                all[0].lines[0].spots[0].span
            ),
            ("King", None)
        );
        let [line] = &all[1].lines[..] else {
            panic!("{:?}", all[1].lines);
        };
        assert_eq!(line.label, "1 personage");
        let spots: Vec<(f64, f64)> = line
            .spots
            .iter()
            .map(|spot| (spot.along, spot.number))
            .collect();
        assert_eq!(spots, [(5.0, 0.35), (9.0, 0.25)]);
        assert!(line.spots[0].span.is_some());
        assert_eq!(panels(&rows, rounds, Some("number")), all[1..]);
    }

    #[test]
    fn of_many_lines_the_first_and_the_last_are_among_those_drawn() {
        let line = |number: usize| Curve {
            label: number.to_string(),
            spots: Vec::new(),
        };
        let kept = |count: usize| -> Vec<String> {
            let lines = select_curves((1..=count).map(line).collect());
            lines.into_iter().map(|line| line.label).collect()
        };
        assert_eq!(kept(3), ["1", "2", "3"]);
        assert_eq!(kept(9), ["1", "3", "6", "9"]);
    }
}
