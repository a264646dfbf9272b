/** A column of a table of the schema `public`. */
export interface TableColumn {
  /** OID of the table and number of the column, as `1234.1`. */
  readonly key: string;
  readonly table: string;
  readonly column: string;
  /** Name in `pg_type`; `_int8` is an array of `int8`. */
  readonly type: string;
  /** Definition of the constraint that lists the column's values, null without one. */
  readonly values: string | null;
  readonly nullable: boolean;
  /** The table is a partition of another one. */
  readonly isPartition: boolean;
}

/** Reads all `TableColumn`s. */
export const TABLE_COLUMNS = `
  select c.oid || '.' || a.attnum as key, coalesce(parent.relname, c.relname) as "table", a.attname as "column",
         coalesce(base.typname, t.typname) as type,
         (select min(pg_get_constraintdef(k.oid)) from pg_constraint k
           where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
             and pg_get_constraintdef(k.oid) like '%ANY (ARRAY[%') as values,
         not (a.attnotnull or t.typnotnull) as nullable, c.relispartition as "isPartition"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type base on base.oid = t.typbasetype
    left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
    left join pg_class parent on parent.oid = i.inhparent
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and c.relname <> 'migration'
   order by c.relname, a.attnum`;

const NUMBERS = new Set(['int2', 'int4', 'int8', 'float4', 'float8']);

const scalarOf = (type: string): string => {
  if (NUMBERS.has(type)) return 'number';
  if (type === 'bool') return 'boolean';
  if (type === 'bytea') return 'Buffer';
  if (type === 'timestamptz' || type === 'timestamp') return 'Date';
  if (type === 'json' || type === 'jsonb') return 'unknown';
  // Text, uuid, numeric (exact decimals would be lost in a float), xid8, inet, date: as the server spells them.
  return 'string';
};

/**
 * @param type name in `pg_type`
 * @param values definition of a constraint that lists the values
 * @returns the type in which the driver returns it, without null
 */
export const valueType = (type: string, values: string | null = null): string => {
  const element = type.startsWith('_') ? type.slice(1) : type;
  const literals = values?.match(/'[^']*'(?=::text)/g)?.join(' | ');
  const scalar = literals ?? scalarOf(element);
  if (element === type) return scalar;
  return `readonly ${literals === undefined ? scalar : `(${literals})`}[]`;
};

/** @returns the members in as few lines as they fit, each line indented */
export const wrapMembers = (members: readonly string[], indent: string, maxLine = 120): string => {
  const lines: string[] = [];
  let line = '';
  for (const member of members) {
    if (line !== '' && indent.length + line.length + 1 + member.length > maxLine) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? member : ` ${member}`;
  }
  return [...lines, line].map((text) => `${indent}${text}\n`).join('');
};
