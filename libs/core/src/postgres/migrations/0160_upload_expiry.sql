-- An upload that no message refers to goes after a while. `referred` is set before anything refers to a picture and never
-- taken back; what was stored before counts as referred to, since nobody noted it.
alter table attachments add column referred boolean not null default true;
create index attachments_unreferred on attachments (created_at) where not referred;
