-- What the tenant's settings said of models for agents when a session of nobody else was made, as JSON.
alter table sessions add column subagent_models text;
