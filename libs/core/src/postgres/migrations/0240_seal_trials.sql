-- When upkeep last tried to seal a session: those tried longest ago come first, so that none keeps the others from it.
alter table log_heads add column seal_tried_at timestamptz;
