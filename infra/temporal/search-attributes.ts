import proto from '@temporalio/proto';

const { INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } =
  proto.temporal.api.enums.v1.IndexedValueType;

/** What operators can filter by in the Temporal UI. Keywords because the dev server's SQLite has few columns of other types. */
export const searchAttributes = {
  EverturnSession: INDEXED_VALUE_TYPE_KEYWORD,
  EverturnParent: INDEXED_VALUE_TYPE_KEYWORD,
  EverturnTenant: INDEXED_VALUE_TYPE_KEYWORD,
  EverturnStatus: INDEXED_VALUE_TYPE_KEYWORD,
  EverturnModel: INDEXED_VALUE_TYPE_KEYWORD,
  EverturnTool: INDEXED_VALUE_TYPE_KEYWORD_LIST,
  EverturnTokens: INDEXED_VALUE_TYPE_INT,
} as const;
