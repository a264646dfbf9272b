// Keywords of JSON Schema that contain schemas, by the form of their value.

export const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'not', 'propertyNames', 'contains']);
export const SCHEMA_LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
export const SCHEMAS_BY_NAME = new Set(['properties', 'patternProperties', '$defs']);
