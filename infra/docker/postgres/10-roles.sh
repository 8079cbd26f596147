#!/bin/sh
# Runs once, on an empty data folder: a role and a database for Everturn, and a role that may create Temporal's two.
# Neither is a superuser: whoever gets hold of a connection string gets a database, not the machine.
set -eu
psql --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres \
  --set=everturn="$EVERTURN_DB_PASSWORD" --set=temporal="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role everturn login password :'everturn';
create database everturn owner everturn;
create role temporal login createdb password :'temporal';
SQL
