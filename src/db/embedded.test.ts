import { expect, test } from 'vitest';
import { openEmbedded } from './embedded.js';

test('a statement that failed takes neither the next one nor the closing with it', async () => {
  const db = await openEmbedded({});
  for (let round = 0; round < 3; round++) {
    await expect(db.run('select * from missing where n = $1', [round])).rejects.toMatchObject({ code: '42P01' });
    expect(await db.run('select $1::int as n', [round])).toEqual([{ n: round }]);
  }
  // When it is closed, the engine has not yet answered the messages that the driver sent after the failed statement.
  await expect(db.run('select * from missing where n = $1', [0])).rejects.toMatchObject({ code: '42P01' });
  await db.close();
});
