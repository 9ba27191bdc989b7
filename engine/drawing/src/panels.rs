//! The panels beside the map: the bank, event cards, and one for each nation.

use std::collections::BTreeMap;

use charts::geometry::{Area, Point};
use charts::svg::{Anchor, N, Svg, Type};
use charts::text::{Weight, fitting, lines, width};
use charts::words;
use engine::forms::NationBody;
use engine::words::{Personage, Resource};

use crate::marks::{NEUTRAL, letter, shape};
use crate::palette::Palette;
use crate::scene::{Nation, Scene, with_noun};

/// The font size of most text.
const TEXT: f64 = 10.5;

/// The distance between lines.
const LINE: f64 = 13.0;

/// The distance between counters, and between rows of counters.
const STEP: f64 = 31.0;
const ROW: f64 = 17.0;

/// A mark with a number: chips, coins, personages.
type Counter = (&'static str, u32);

fn chips(body: &NationBody) -> Vec<Counter> {
    vec![
        ("t-marble", body.marble),
        ("t-iron", body.iron),
        ("t-gold", body.gold),
        ("t-coin", u32::from(body.coins)),
    ]
}

fn personages(counts: &BTreeMap<Personage, u8>) -> Vec<Counter> {
    let counter = |kind: &Personage| {
        let mark = match kind {
            Personage::King => "t-king",
            Personage::Scholar => "t-scholar",
            Personage::General => "t-general",
            Personage::Citizen => "t-citizen",
            Personage::Navigator => "t-navigator",
        };
        (mark, u32::from(counts.get(kind).copied().unwrap_or(0)))
    };
    Personage::ALL.iter().map(counter).collect()
}

/// Draws counters in rows from the left. Returns the top of the next element.
fn counters(svg: &mut Svg, list: &[Counter], area: &Area, top: f64) -> f64 {
    let columns = ((area.width / STEP) as usize).max(1);
    svg.raw(format_args!(r#"<g font-size="12" font-weight="700">"#));
    for (index, (mark, count)) in list.iter().enumerate() {
        let x = area.x + (index % columns) as f64 * STEP;
        let y = top + (index / columns) as f64 * ROW;
        let faded = if *count == 0 { r#" opacity=".4""# } else { "" };
        svg.mark(mark, Point::new(x + 7.0, y + 7.0), faded);
        svg.raw(format_args!(
            r#"<text x="{}" y="{}"{faded}>{count}</text>"#,
            N(x + 16.5),
            N(y + 11.3)
        ));
    }
    svg.close();
    let rows = list.len().div_ceil(columns);
    top + rows as f64 * ROW
}

/// Draws the panel of a nation.
pub fn nation(svg: &mut Svg, scene: &Scene<'_>, index: usize, area: &Area, palette: &Palette) {
    let nation = &scene.nations[index];
    let moves = scene.view.is_some_and(|view| view.to_move == nation.id);
    let id = charts::svg::EscapedText(nation.id);
    svg.raw(format_args!(
        r#"<g data-nation="{id}" fill="{}">"#,
        palette.ink
    ));
    let (edge, thick) = match moves {
        true => (palette.ink, 1.8),
        false => (palette.line, 1.0),
    };
    let look = format!(
        r#" fill="{}" stroke="{edge}" stroke-width="{thick}""#,
        palette.panel
    );
    svg.rect(area, 5.0, &look);
    head(svg, scene, nation, moves, area, palette);
    let inner = Area::new(area.x + 8.0, area.y, area.width - 14.0, area.height);
    let mut top = area.y + 24.0;
    let faint = Type::medium(TEXT, palette.faint);
    let Some(body) = nation.body else {
        let name = |id: &str| {
            let region = scene.board.regions.iter().find(|region| region.id == id);
            region.map_or(id, |region| region.name.as_str()).to_owned()
        };
        let cities = nation.start.iter();
        let parts = cities.map(|(kind, id)| format!("{} ({})", name(id), kind.name()));
        let parts = parts.collect::<Vec<_>>().join(" · ");
        paragraph(svg, &parts, &inner, top + 10.0, Type::medium(TEXT, ""), 4);
        svg.close();
        return;
    };
    let owned = [chips(body), personages(&body.personages)];
    top = match inner.width >= STEP * 9.0 + 12.0 {
        true => {
            let wide = Area::new(inner.x + STEP * 4.0 + 14.0, 0.0, STEP * 5.0 + 1.0, 0.0);
            counters(svg, &owned[0], &inner, top);
            counters(svg, &owned[1], &wide, top)
        }
        false => {
            let top = counters(svg, &owned[0], &inner, top);
            counters(svg, &owned[1], &inner, top)
        }
    };
    let room = |top: f64| ((area.bottom() - 4.0 - top) / LINE).max(0.0) as usize;
    let supplies = supplies(body, nation);
    let below = lines(&supplies, TEXT, Weight::Medium, inner.width).len();
    let known = body.know_how.iter().map(|id| words(id));
    let known = known.collect::<Vec<_>>().join(", ");
    let known = if known.is_empty() {
        "no know-how".to_owned()
    } else {
        known
    };
    let kind = Type::medium(TEXT, "");
    let left = room(top).saturating_sub(below).max(1);
    top = paragraph(svg, &known, &inner, top + 11.0, kind, left) - 11.0;
    if let Some(cards) = body.cards.as_ref().filter(|cards| !cards.is_empty()) {
        let hand = format!("Cards: {}", grouped(cards));
        top = paragraph(svg, &hand, &inner, top + 11.0, kind, 3) - 11.0;
    }
    paragraph(svg, &supplies, &inner, top + 11.0, faint, room(top).max(1));
    svg.close();
}

fn head(
    svg: &mut Svg,
    scene: &Scene<'_>,
    nation: &Nation<'_>,
    moves: bool,
    area: &Area,
    palette: &Palette,
) {
    let badge = &nation.badge;
    let letters = Area::new(area.x + 5.0, area.y + 4.5, 24.0, 16.0);
    let look = format!(r#" fill="{}" stroke="{}""#, badge.fill, palette.edge);
    svg.rect(&letters, 4.0, &look);
    let kind = Type::bold(11.0, badge.ink).anchored(Anchor::Middle);
    svg.text(
        Point::new(letters.x + 12.0, letters.y + 12.0),
        kind,
        &badge.letters,
    );
    let baseline = area.y + 17.0;
    let mut x = letters.right() + 6.0;
    x += svg.text(
        Point::new(x, baseline),
        Type::bold(14.0, ""),
        &nation.name(),
    );
    let bellona = scene
        .view
        .is_some_and(|view| view.bellona.as_deref() == Some(nation.id));
    let resigned = nation.body.is_some_and(|body| body.resigned);
    for (applies, tag) in [
        (moves, scene.phase_in_words()),
        (bellona, "Bellona"),
        (resigned, "resigned"),
    ] {
        if applies {
            let wide = width(tag, 9.5, Weight::Bold) + 8.0;
            let look = format!(r#" fill="none" stroke="{}""#, palette.faint);
            svg.rect(&Area::new(x + 6.0, baseline - 10.5, wide, 13.0), 6.0, &look);
            let kind = Type::bold(9.5, palette.faint);
            svg.text(Point::new(x + 10.0, baseline - 0.8), kind, tag);
            x += wide + 5.0;
        }
    }
    if let (Some(_), Some(view)) = (nation.body, scene.view) {
        let kind = Type::medium(10.0, palette.faint).anchored(Anchor::End);
        let of = format!("/{}", view.goal);
        let right = area.right() - 7.0;
        let wide = svg.text(Point::new(right, baseline), kind, &of);
        let kind = Type::bold(17.0, "").anchored(Anchor::End);
        svg.text(
            Point::new(right - wide - 1.0, baseline),
            kind,
            &nation.points.to_string(),
        );
    }
}

/// Describes the pieces of a nation on the board and in supply.
fn supplies(body: &NationBody, nation: &Nation<'_>) -> String {
    let mut parts = vec![
        with_noun(nation.cities, "city", "cities"),
        with_noun(nation.temples, "temple", "temples"),
    ];
    let count = |number: u8| usize::from(number);
    if let Some(units) = body.recruitment_box {
        let special = body.special_unit.as_ref();
        let boxed = special.filter(|special| special.region.is_none());
        let special = boxed
            .and_then(|special| special.unit)
            .map(|unit| unit.name());
        let mut text = format!("box {}L {}G", units.legions, units.galleys);
        if let Some(special) = special {
            text.push_str(&format!(" {special}"));
        }
        parts.push(text);
    }
    if let Some(supply) = &body.supply {
        let mut text = format!("supply {}L {}G", supply.legions, supply.galleys);
        if let Some(cities) = supply.cities {
            text.push_str(&format!(" {}", with_noun(count(cities), "city", "cities")));
        }
        parts.push(text);
    }
    if let Some(walls) = body.walls {
        parts.push(format!("{} left", with_noun(count(walls), "wall", "walls")));
    }
    parts.join(" · ")
}

/// Lists cards by name, equal ones together.
fn grouped(cards: &[String]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for card in cards {
        match counts.iter_mut().find(|(id, _)| id == card) {
            Some((_, count)) => *count += 1,
            None => counts.push((card, 1)),
        }
    }
    let parts = counts.into_iter().map(|(id, count)| match count {
        1 => words(id),
        count => format!("{} ×{count}", words(id)),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Draws text in at most `most` lines. Returns the baseline after the last.
pub fn paragraph(
    svg: &mut Svg,
    text: &str,
    area: &Area,
    first: f64,
    kind: Type<'_>,
    most: usize,
) -> f64 {
    let all = lines(text, kind.size, kind.weight, area.width);
    let mut y = first;
    for (index, line) in all.iter().take(most).enumerate() {
        let cut = index + 1 == most && all.len() > most;
        let line = match cut {
            true => fitting(&format!("{line} …"), kind.size, kind.weight, area.width),
            false => fitting(line, kind.size, kind.weight, area.width),
        };
        svg.text(Point::new(area.x, y), kind, &line);
        y += LINE;
    }
    y
}

/// Draws the bank and, in editions with them, the event cards.
pub fn bank(svg: &mut Svg, scene: &Scene<'_>, area: &Area, palette: &Palette) {
    let Some(bank) = scene.bank() else {
        letters(svg, area, area.y, palette);
        return;
    };
    svg.raw(format_args!(
        r#"<g data-layer="bank" fill="{}">"#,
        palette.ink
    ));
    let heading = Type::bold(12.0, "");
    svg.text(Point::new(area.x, area.y + 11.0), heading, "Bank");
    let row = Area::new(area.x, 0.0, area.width.min(STEP * 5.0), 0.0);
    let coins = [("t-coin", u32::from(bank.coins))];
    let mut top = area.y + 17.0;
    counters(svg, &coins, &row, top);
    let white = format!(r#" fill="{}""#, palette.temple);
    svg.mark(
        "t-temple",
        Point::new(area.x + STEP + 1.0, top + 1.0),
        &white,
    );
    let temples = Type::bold(12.0, "");
    svg.text(
        Point::new(area.x + STEP + 20.0, top + 11.3),
        temples,
        &bank.temples.to_string(),
    );
    top = counters(svg, &personages(&bank.personages), &row, top + ROW + 2.0);
    if !bank.cities.is_empty() {
        let cities = bank.cities.iter().map(|(kind, count)| {
            let mark = match kind {
                Resource::Marble => "t-marble",
                Resource::Iron => "t-iron",
                Resource::Gold => "t-gold",
            };
            (mark, u32::from(*count))
        });
        let cities: Vec<Counter> = cities.collect();
        let small = Type::medium(TEXT, palette.faint);
        svg.text(Point::new(area.x, top + 11.0), small, "City tokens");
        top = counters(svg, &cities, &row, top + 15.0);
    }
    svg.close();
    if let Some(cards) = scene.cards() {
        top += 2.0;
        svg.raw(format_args!(
            r#"<g data-layer="cards" fill="{}">"#,
            palette.ink
        ));
        svg.text(Point::new(area.x, top + 11.0), heading, "Event cards");
        let rest = format!("{} in the deck · {} used", cards.deck, cards.used.len());
        let small = Type::medium(TEXT, palette.faint);
        svg.text(Point::new(area.x, top + 23.5), small, &rest);
        top += 28.0;
        for id in &cards.open {
            let card = Area::new(area.x, top, area.width.min(134.0), 16.5);
            let look = format!(r##" fill="#f6e7c1" stroke="{}""##, palette.coast);
            svg.rect(&card, 3.0, &look);
            let name = fitting(&words(id), 11.0, Weight::Bold, card.width - 10.0);
            let kind = Type::bold(11.0, "#222").anchored(Anchor::Middle);
            svg.text(Point::new(card.centre().x, top + 12.0), kind, &name);
            top += 18.5;
        }
        svg.close();
    }
    letters(svg, area, top + 6.0, palette);
}

/// Draws the meaning of the letters, if there is room.
fn letters(svg: &mut Svg, area: &Area, top: f64, palette: &Palette) {
    let kinds = Personage::ALL.iter();
    let parts = kinds.map(|kind| format!("{}\u{a0}{}", letter(*kind), kind.name()));
    let parts = parts.collect::<Vec<_>>().join(" · ");
    let text = format!("{parts} · ¢\u{a0}coin · L\u{a0}legion · G\u{a0}galley");
    let kind = Type::medium(10.0, palette.faint);
    let needed = lines(&text, kind.size, kind.weight, area.width).len();
    if top + needed as f64 * LINE <= area.bottom() {
        paragraph(svg, &text, area, top + 11.0, kind, needed);
    }
}

/// Draws the note on the source of the board's data, as far as there is room.
pub fn note(svg: &mut Svg, scene: &Scene<'_>, area: &Area, palette: &Palette) {
    let room = ((area.height - 14.0) / LINE).max(0.0) as usize;
    if room < 3 {
        return;
    }
    let heading = Type::bold(TEXT, palette.faint);
    svg.text(
        Point::new(area.x, area.y + 11.0),
        heading,
        "About this board",
    );
    let kind = Type::medium(10.0, palette.faint);
    let text = &scene.board.provenance.note;
    paragraph(svg, text, area, area.y + 11.0 + LINE, kind, room - 1);
}

/// Draws the legend of the marks, in one line.
pub fn legend(svg: &mut Svg, at: Point, palette: &Palette) {
    let brown = format!(r#" stroke="{}" stroke-width="1.6""#, palette.land_border);
    let dots = format!(
        r#" stroke="{}" stroke-width="2.2" stroke-dasharray=".1 5""#,
        palette.sea_border
    );
    let casing = format!(r#" stroke="{}" stroke-width="5""#, palette.both_borders);
    let text = Type::medium(10.0, palette.faint);
    let mut x = at.x;
    svg.open(r#" data-layer="legend" fill="none" stroke-linecap="round""#);
    let borders = [
        ("legions cross", vec![&brown]),
        ("galleys cross", vec![&dots]),
        ("both cross", vec![&casing, &brown]),
    ];
    for (name, looks) in borders {
        for look in looks {
            svg.path(&format!("M{} {}h22", N(x), N(at.y - 3.5)), look);
        }
        x += 27.0;
        x += svg.text(Point::new(x, at.y), text, name) + 12.0;
    }
    for (galley, name) in [(false, "legions"), (true, "galleys")] {
        svg.raw(format_args!(
            r#"<path d="{}" transform="translate({} {})" stroke="{}"/>"#,
            shape(24.0, galley),
            N(x),
            N(at.y - 11.0),
            palette.faint
        ));
        x += 28.0;
        x += svg.text(Point::new(x, at.y), text, name) + 12.0;
    }
    let marks = [
        ("t-temple", 16.0, 10.0, palette.temple, "temple"),
        ("t-temple", 16.0, 10.0, NEUTRAL, "neutral temple"),
        ("t-tower", 6.0, 14.0, NEUTRAL, "town wall"),
    ];
    for (mark, wide, drop, fill, name) in marks {
        let corner = Point::new(x, at.y - drop);
        svg.mark(mark, corner, &format!(r#" fill="{fill}""#));
        x += wide + 4.0;
        x += svg.text(Point::new(x, at.y), text, name) + 12.0;
    }
    for (mark, name) in [
        ("t-marble", "marble"),
        ("t-iron", "iron"),
        ("t-gold", "gold"),
        ("t-any", "any"),
    ] {
        svg.mark(mark, Point::new(x + 7.0, at.y - 3.5), "");
        x += 18.0;
        x += svg.text(Point::new(x, at.y), text, name) + 10.0;
    }
    svg.close();
}
