#' ---
#' title: A dataset in R
#' ---
#'
#' Reads the newest dataset of a server and draws win rates with intervals, a tree of openings, and what a mix of
#' personages is worth. Needs the packages `arrow` and `jsonlite`. Open it as a notebook (RStudio, knitr's `spin`), or
#' run it: `TABULARIUM=https://example.org Rscript with_r.R`. It writes three pictures and their numbers.

server <- Sys.getenv("TABULARIUM", "http://localhost:8080")
get_json <- function(path) jsonlite::fromJSON(paste0(server, path), simplifyVector = FALSE)

#' ## From the list of datasets to a table
#'
#' `datapackage.json` describes each file. A table has a file for each edition and month; all files of a table have the
#' same schema, which says what each column means.

datasets <- get_json("/v1/datasets")$items
if (length(datasets) == 0) stop("the server has no published dataset yet")
dataset <- datasets[[1]]
package <- get_json(paste0(dataset$path, "/datapackage.json"))
cat(sprintf("%s: %d games, version %s, %s\n", dataset$title, dataset$games, dataset$version, dataset$licenses[[1]]$name))

read_table <- function(name) {
  files <- Filter(function(file) identical(file$schema, sprintf("schemas/%s.json", name)), package$resources)
  read <- function(file) {
    here <- tempfile(fileext = ".parquet")
    download.file(paste0(server, dataset$path, "/", file$path), here, mode = "wb", quiet = TRUE)
    as.data.frame(arrow::read_parquet(here))
  }
  do.call(rbind, lapply(files, read))
}

seats <- read_table("seats")
awards <- read_table("awards")

#' ## Games that can be compared
#'
#' Games that the rules ended with a winner, of the format with most games. Games of different formats are never summed.

for (column in c("variants", "bots")) seats[[column]] <- vapply(seats[[column]], paste, "", collapse = ",")
seats <- subset(seats, reason %in% c("goal", "temple_destroyed") & !from_position & !declared)
format <- do.call(paste, c(seats[c("board", "variants", "nations", "players", "play", "bots")], sep = "|"))
most <- names(which.max(tapply(seats$game, format, function(games) length(unique(games)))))
seats <- seats[format == most, ]
title <- sprintf("%s, %d nations, %s %s", seats$board[1], seats$nations[1], seats$play[1], seats$bots[1])
cat(sprintf("%s: %d games\n", title, length(unique(seats$game))))

#' ## Win rates with intervals
#'
#' The nations of a game are not independent: one wins what the others do not. So the variance is counted by game, and
#' the interval is Wilson's, for as many independent games as would vary so much. The server adds what differs between
#' players, and takes the quantiles of exact distributions: with few games, or games of people, its intervals are wider.

win_rates <- function(rows, by) {
  games <- aggregate(list(n = rep(1, nrow(rows)), w = rows$share), rows[c(by, "game")], sum)
  sums <- with(games, list(games = n / n, nation_games = n, wins = w, nn = n * n, nw = n * w, ww = w * w))
  rates <- aggregate(sums, games[by], sum)
  rates$rate <- rates$wins / rates$nation_games
  one <- rates$rate * (1 - rates$rate)
  varies <- rates$ww - 2 * rates$rate * rates$nw + rates$rate^2 * rates$nn
  # One game that varies like a coin counts beside the others, so no interval has a width of 0.
  effect <- ifelse(one > 0, (varies + one) / ((rates$nation_games + 1) * one), 1)
  z2 <- 1.96^2 * effect / rates$nation_games
  half <- sqrt(z2 * (one + z2 / 4))
  rates$low <- (rates$rate + z2 / 2 - half) / (1 + z2)
  rates$high <- (rates$rate + z2 / 2 + half) / (1 + z2)
  rates[c(by, "games", "nation_games", "wins", "rate", "low", "high")]
}

draw <- function(file, width, plot) {
  png(file, width = width, height = 600, res = 100)
  plot()
  invisible(dev.off())
}

draw_intervals <- function(labels, middle, low, high, beside, xlab, main, log = "") {
  par(mar = c(4.5, 14, 2.5, 1))
  at <- rev(seq_along(labels))
  plot(middle, at, xlim = range(low, high), pch = 19, yaxt = "n", xlab = xlab, ylab = "", main = main, log = log)
  abline(v = beside, lty = "dashed", col = "grey")
  segments(low, at, high, at)
  axis(2, at, labels, las = 1)
}

draw_rates <- function(labels, rates, expected, main) {
  draw_intervals(labels, rates$rate, rates$low, rates$high, expected, "wins a nation in a game, 95% interval", main)
}

nations <- win_rates(seats, "nation")
write.csv(nations, "win_rates.csv", row.names = FALSE)
print(nations, row.names = FALSE)
draw("win_rates.png", 800, function() draw_rates(nations$nation, nations, mean(seats$expected), title))

#' ## The tree of openings
#'
#' A node contains the nations that began with the same rondel spaces. In the picture a box is as high as many nations
#' went that way, and its colour is their win rate.

stops <- c("stop_1", "stop_2", "stop_3")
tree_level <- function(level) {
  own <- stops[seq_len(level)]
  found <- win_rates(seats[complete.cases(seats[own]), ], own)
  before <- own[-level]
  found$path <- if (length(before) > 0) do.call(paste, c(found[before], sep = ",")) else ""
  found$field <- found[[stops[level]]]
  found[setdiff(names(found), stops)]
}
tree <- do.call(rbind, lapply(seq_along(stops), tree_level))
write.csv(tree, "openings.csv", row.names = FALSE)
colours <- hcl.colors(100, "viridis")

draw_branches <- function(path, level, bottom) {
  branches <- tree[tree$path == paste(path, collapse = ","), ]
  branches <- branches[order(-branches$nation_games), ]
  for (row in seq_len(nrow(branches))) {
    branch <- branches[row, ]
    colour <- colours[min(100, 1 + floor(50 * branch$rate / mean(seats$expected)))]
    rect(level, bottom, level + 0.96, bottom + branch$nation_games, col = colour, border = "white")
    if (branch$nation_games > nrow(seats) / 50) {
      label <- sprintf("%s %.2f (%d)", branch$field, branch$rate, as.integer(branch$nation_games))
      cat(strrep("    ", level), label, "\n", sep = "")
      text(level + 0.03, bottom + branch$nation_games / 2, label, adj = c(0, 0.5), col = "white", cex = 0.7)
    }
    draw_branches(c(path, branch$field), level + 1, bottom)
    bottom <- bottom + branch$nation_games
  }
}
draw("openings.png", 900, function() {
  plot(NULL, xlim = c(0, 3), ylim = c(0, nrow(seats)), xlab = "stop", ylab = "nations in games", main = title)
  draw_branches(character(), 0, 0)
})

#' ## Mixes of personages
#'
#' Win rates of nations by the mix of their first personages. The rate of
#' all of them is the one to compare with.

first <- 3
won <- awards[awards$nth == first & awards$game %in% seats$game, ]
mixes <- win_rates(won, "mix")
mixes <- mixes[order(-mixes$nation_games), ]
write.csv(mixes, "mixes.csv", row.names = FALSE)
print(mixes, row.names = FALSE)

#' The model compares the nations of a game with each other (a conditional logit): the chance of each grows with the
#' worth of its mix, which is the sum of the worths of its personages. The worth of a king is 0. A normal distribution
#' with variance 1 as the prior keeps the effects finite where there are few games. It says what goes together with
#' winning, not what to choose.

kinds <- c("scholar", "general", "citizen", "navigator")
counts <- as.matrix(won[kinds])
loss <- function(worth) {
  value <- drop(counts %*% worth)
  chance <- exp(value) / ave(exp(value), won$game, FUN = sum)
  sum(worth^2) / 2 - sum(won$share * log(chance))
}
fitted <- optim(numeric(length(kinds)), loss, method = "BFGS", hessian = TRUE)
error <- sqrt(diag(solve(fitted$hessian)))
model <- data.frame(
  personage = kinds, odds = exp(fitted$par), low = exp(fitted$par - 1.96 * error), high = exp(fitted$par + 1.96 * error)
)
write.csv(model, "mix_model.csv", row.names = FALSE)
cat("\nOdds of winning with one more of a kind in the place of a king\n")
print(model, row.names = FALSE)

draw("mixes.png", 1400, function() {
  par(mfrow = c(1, 2))
  shown <- head(mixes, 12)
  draw_rates(shown$mix, shown, mean(won$share), sprintf("First %d personages", first))
  draw_intervals(model$personage, model$odds, model$low, model$high, 1, "odds of winning beside one more king", "Logit", "x")
})
