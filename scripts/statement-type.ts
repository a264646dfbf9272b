import { camelCase } from '../src/db/bulk-statement.js';
import { parseStatementText } from '../src/db/statement-text.js';
import { type TableColumn, valueType, wrapMembers } from './column-type.js';
import type { DescribedColumn, Description } from './describe-statement.js';

/** A statement as it is written, and what PostgreSQL says of it. */
export interface DescribedStatement {
  readonly name: string;
  readonly source: string;
  /** Number of the first named parameter. */
  readonly first: number;
  readonly description: Description;
}

/** Types that a parameter may have, by the PostgreSQL type that is not the one in which a column arrives. */
const PARAM_TYPES: Readonly<Record<string, string>> = {
  bytea: 'Uint8Array',
  numeric: 'string | number | bigint',
  // As JSON text.
  json: 'string',
  jsonb: 'string',
};

/**
 * @param nullable of an array, also its elements
 * @param values as in `valueType`
 */
const paramType = (type: string, nullable: boolean, values: string | null): string => {
  const element = type.startsWith('_') ? type.slice(1) : type;
  const scalar = PARAM_TYPES[element] ?? valueType(element, values);
  const value = nullable ? `${scalar} | null` : scalar;
  if (element === type) return value;
  return `readonly ${value.includes('|') ? `(${value})` : value}[]${nullable ? ' | null' : ''}`;
};

const OUTER_JOIN = /\b(left|right|full)\s+(?:outer\s+)?join\s+(?:"?(\w+)"?)?/gi;

/** What is known apart from the statements. */
export interface Known {
  readonly tables: ReadonlySet<string>;
  /** All columns, by `table.column`. */
  readonly columns: ReadonlyMap<string, TableColumn>;
  /** Names of the columns in `ColumnTypes`. */
  readonly refined: ReadonlySet<string>;
}

/** @returns whether an outer join may leave out the columns of this table; true where that is not certain, as for a subquery */
const isOuter = (source: string, table: string, { tables }: Known): boolean =>
  [...source.matchAll(OUTER_JOIN)].some(
    ([, side, joined = '']) => side?.toLowerCase() !== 'left' || joined === table || !tables.has(joined),
  );

const isNullable = ({ source }: DescribedStatement, { origin }: DescribedColumn, known: Known): boolean =>
  origin === undefined || origin.nullable || isOuter(source, origin.table, known);

const renderColumn = (
  statement: DescribedStatement,
  column: DescribedColumn,
  marks: ReadonlyMap<string, boolean>,
  known: Known,
): string => {
  const { name, type, origin } = column;
  const keys = [`${statement.name}.${name}`, `${origin?.table}.${origin?.column}`];
  const key = keys.find((one) => known.refined.has(one));
  const value = key ? `ColumnTypes['${key}']` : valueType(type, origin?.values);
  const nullable = value !== 'unknown' && (marks.get(name) ?? isNullable(statement, column, known));
  return `${name.includes('?') ? "'?'" : name}: ${value}${nullable ? ' | null' : ''};`;
};

/** @returns an object type, in one line where it fits */
const objectType = (label: string, members: readonly string[]): string => {
  const line = `    ${label}: { ${members.join(' ').replace(/;$/, '')} };`;
  return line.length <= 120 ? line : `    ${label}: {\n${wrapMembers(members, '      ')}    };`;
};

const INSERT = /\binsert into "?(\w+)"?(?: as \w+)? \(([^)]*)\)\s*values \(([^()]*)\)/gi;

/** @returns the columns into which an `insert` writes parameters unchanged, by the parameter */
const insertedColumns = (source: string, { columns }: Known): ReadonlyMap<string, readonly TableColumn[]> => {
  const inserted = new Map<string, TableColumn[]>();
  for (const [, table, names = '', values = ''] of source.matchAll(INSERT)) {
    const columnsInOrder = names.split(',').map((name) => columns.get(`${table}.${name.trim()}`));
    for (const [index, value] of values.split(',').entries()) {
      const param = /^\s*:(\w+)(?:::\w+)?\s*$/.exec(value)?.[1];
      const column = columnsInOrder[index];
      if (param && column) inserted.set(param, [...(inserted.get(param) ?? []), column]);
    }
  }
  return inserted;
};

const renderParams = ({ name, source, first, description }: DescribedStatement, known: Known): string => {
  const { params, nullableParams } = parseStatementText(source, first);
  const inserted = insertedColumns(source, known);
  if (params === undefined) {
    if (description.params.length >= first) throw new Error(`The parameters of ${name} have no names.`);
    return '    params: NoParams;';
  }
  const members = params.map((param, index) => {
    const type = description.params[first - 1 + index] as string;
    const into = inserted.get(param) ?? [];
    const nullable = nullableParams.has(param) || (into.length > 0 && into.every((column) => column.nullable));
    return `${param}: ${paramType(type, nullable, into[0]?.values ?? null)};`;
  });
  return objectType('params', members);
};

/** @throws Error for a column of the result with an underscore, since members of rows are in camelCase */
const checkSpelling = ({ name, description }: DescribedStatement): void => {
  for (const column of description.columns)
    if (column.name.includes('_'))
      throw new Error(`The column ${column.name} of ${name} needs a name in camelCase: as "${camelCase(column.name)}"`);
};

const renderRow = (statement: DescribedStatement, known: Known): string => {
  const { columns } = statement.description;
  checkSpelling(statement);
  // Rows that arrive as arrays need no names.
  if (columns.length === 0 || new Set(columns.map(({ name }) => name)).size < columns.length)
    return '    row: unknown;';
  const { nullableColumns } = parseStatementText(statement.source, statement.first);
  return objectType(
    'row',
    columns.map((column) => renderColumn(statement, column, nullableColumns, known)),
  );
};

const renderStatement = (statement: DescribedStatement, known: Known): string => {
  const name = /^\w+$/.test(statement.name) ? statement.name : `'${statement.name}'`;
  return `  ${name}: {\n${renderParams(statement, known)}\n${renderRow(statement, known)}\n  };\n`;
};

const HEAD = `// Generated by scripts/sql.ts from what PostgreSQL says of each statement. Do not edit: run \`npm run sql\`.

import type { NoParams } from '../db/statement.js';
import type { ColumnTypes } from './column-type.js';

/** Every statement by its name: what it takes, and the rows that it returns. */
export interface StatementTypes {
`;

/** @returns the text of `src/store/statement-types.ts` */
export const renderStatementTypes = (statements: readonly DescribedStatement[], known: Known): string => {
  const sorted = [...statements].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${HEAD}${sorted.map((statement) => renderStatement(statement, known)).join('')}}\n`;
};
