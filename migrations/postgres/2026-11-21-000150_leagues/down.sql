DROP TABLE league_games;
DROP TABLE league_events;
DROP TABLE leagues;
