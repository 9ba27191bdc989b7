DROP TABLE webhook_position;
DROP TABLE deliveries;
DROP TABLE webhooks;
DELETE FROM work WHERE kind = 'webhook';
