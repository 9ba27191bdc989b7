//! Plays of BoardGameGeek, in the XML of its plays (`/xmlapi2/plays`).

use std::fmt::Write;

use engine::content::Library;
use roxmltree::{Document, Node};

use crate::leagues::exchange::export::ExportedTable;
use crate::leagues::exchange::rows::{
    ImportRows, ImportedSeat, MOST_ROWS, ResultRows, RowFault, UnreadableFile, edition_named,
    moment, nations_named, places,
};

/// The media type of XML.
pub const XML: &str = "application/xml";

fn attribute(node: Node<'_, '_>, name: &str) -> Option<String> {
    let value = node.attribute(name)?.trim();
    Some(value.to_owned()).filter(|value| !value.is_empty())
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// Reads plays. The row of a player is the line of the file.
///
/// # Errors
/// When the text is not XML with plays.
pub fn read(text: &str, library: &Library) -> Result<ImportRows, UnreadableFile> {
    let document = Document::parse(text).map_err(|error| {
        UnreadableFile(format!(
            "line {} of the file is not XML: {error}",
            error.pos().row
        ))
    })?;
    let root = document.root_element();
    if !root.has_tag_name("plays") {
        let message =
            "the file has no element `plays`: download it from /xmlapi2/plays?username=NAME";
        return Err(UnreadableFile(message.to_owned()));
    }
    let plays = root.children().filter(|node| node.has_tag_name("play"));
    let plays: Vec<ResultRows> = plays.map(|node| play(node, library)).collect();
    let rows: usize = plays.iter().map(|play| play.seats.len()).sum();
    match rows {
        0 => Err(UnreadableFile(
            "no play of the file lists players".to_owned(),
        )),
        rows if rows > MOST_ROWS => Err(UnreadableFile(format!(
            "the file has more than {MOST_ROWS} players: send it in parts"
        ))),
        _ => Ok(ImportRows::Results(plays)),
    }
}

fn play(node: Node<'_, '_>, library: &Library) -> ResultRows {
    let name = child(node, "item").and_then(|item| attribute(item, "name"));
    let edition = name
        .as_deref()
        .and_then(|name| edition_named(library, name));
    let is_set = |name: &str| attribute(node, name).as_deref() == Some("1");
    let skipped = match (&edition, name) {
        (None, name) => Some(format!("this is a play of {:?}", name.unwrap_or_default())),
        _ if is_set("incomplete") => Some("the play is marked as incomplete".to_owned()),
        _ => None,
    };
    let comments = child(node, "comments").and_then(|node| node.text());
    let comments = comments.map(str::trim).filter(|text| !text.is_empty());
    let players = child(node, "players")
        .into_iter()
        .flat_map(|node| node.children());
    let players: Vec<Node<'_, '_>> = players.filter(|node| node.has_tag_name("player")).collect();
    let date = attribute(node, "date");
    let mut result = ResultRows {
        played_at: date.as_deref().and_then(moment),
        edition,
        note: comments.map(str::to_owned),
        skipped,
        seats: seats(node, &players, library),
        ..ResultRows::default()
    };
    let fault = match attribute(node, "quantity").as_deref() {
        None | Some("1") => None,
        Some(_) => Some(RowFault::new(
            "quantity",
            "the play stands for several games: record each game by itself",
        )),
    };
    let no_date = || RowFault::new("date", "give the date as 2024-03-01");
    let fault = fault.or_else(|| (date.is_some() && result.played_at.is_none()).then(no_date));
    if let (Some(fault), Some(first)) = (fault, result.seats.first_mut()) {
        first.fault.get_or_insert(fault);
    }
    result
}

fn seats(play: Node<'_, '_>, players: &[Node<'_, '_>], library: &Library) -> Vec<ImportedSeat> {
    let score = |player: &Node<'_, '_>| attribute(*player, "score")?.replace(',', ".").parse().ok();
    let scores: Vec<Option<f64>> = players.iter().map(score).collect();
    let wins: Vec<bool> = players
        .iter()
        .map(|player| player.attribute("win") == Some("1"))
        .collect();
    let ranks = places(&scores, &wins);
    let place = |player: &Node<'_, '_>| attribute(*player, "startposition")?.parse::<u8>().ok();
    let mut seats: Vec<(Option<u8>, ImportedSeat)> = Vec::with_capacity(players.len());
    for (index, player) in players.iter().enumerate() {
        let row = play.document().text_pos_at(player.range().start).row;
        let name = attribute(*player, "name").or_else(|| attribute(*player, "username"));
        let fault = match (&name, &ranks) {
            (None, _) => Some(RowFault::new("name", "the player has no name")),
            (_, None) => Some(RowFault::new(
                "score",
                "give the scores of all players, or mark who has won",
            )),
            _ => None,
        };
        // Players note their nation as the color. Another text there has no meaning for a league.
        let color = attribute(*player, "color").unwrap_or_default();
        let seat = ImportedSeat {
            row: u64::from(row),
            player: name.unwrap_or_default(),
            nations: nations_named(library, &color),
            rank: ranks.as_ref().map(|ranks| ranks[index]),
            points: None,
            fault,
        };
        seats.push((place(player), seat));
    }
    if seats.iter().all(|(place, _)| place.is_some()) {
        seats.sort_by_key(|(place, _)| *place);
    }
    seats.into_iter().map(|(_, seat)| seat).collect()
}

/// Returns a text as the value of an attribute or as the content of an element.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            // XML has no other control characters.
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Writes results as plays.
pub fn write(tables: &[ExportedTable]) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<plays total=\"{}\" page=\"1\">\n",
        tables.len()
    );
    for table in tables {
        let date = table.played_at.strftime("%Y-%m-%d");
        // Writing to a text cannot fail.
        let _ = writeln!(
            xml,
            "  <play id=\"{}\" date=\"{date}\" quantity=\"1\" length=\"0\" incomplete=\"0\" nowinstats=\"0\" location=\"\">\n    \
            <item name=\"{}\" objecttype=\"thing\">\n      <subtypes><subtype value=\"boardgame\"/></subtypes>\n    </item>\n    \
            <comments>{}</comments>\n    <players>",
            table.number,
            escaped(&table.game),
            escaped(&table.comment)
        );
        for (place, seat) in (1..).zip(&table.seats) {
            let _ = writeln!(
                xml,
                "      <player username=\"\" userid=\"0\" name=\"{}\" startposition=\"{place}\" color=\"{}\" score=\"{}\" \
                new=\"0\" rating=\"0\" win=\"{}\"/>",
                escaped(&seat.name),
                escaped(&seat.nations.join("+")),
                seat.points,
                u8::from(seat.rank == 1)
            );
        }
        xml.push_str("    </players>\n  </play>\n");
    }
    xml.push_str("</plays>\n");
    xml
}
