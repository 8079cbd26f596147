-- Shortening a history is a request as well. Which kinds there are is said by the type of the column alone from now on.
alter table sent_requests drop constraint if exists sent_requests_kind_check;
