DROP TABLE invitation_codes;
