// Runs statements in DuckDB in memory. INPUT: { folder, statements }: file names in statements are relative to the folder.
// Prints the rows of each statement as JSON, values as DuckDB writes them.
import { DuckDBInstance } from '@duckdb/node-api';

const { folder, statements } = JSON.parse(process.env.INPUT);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`set file_search_path = '${folder.replaceAll("'", "''")}'`);
await connection.run("set timezone = 'UTC'");
const printed = [];
for (const statement of statements) {
  const reader = await connection.runAndReadAll(statement);
  printed.push(reader.getRowObjectsJson());
}
process.stdout.write(JSON.stringify(printed));
