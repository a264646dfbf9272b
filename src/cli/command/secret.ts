import { defineCommand, UsageError } from '../terminal/command.js';

export const secretRotateCommand = defineCommand({
  name: 'secret rotate',
  summary: 'Seal every stored secret again under the new master key, while services run',
  examples: [
    ['castellan secret rotate', 'seal everything again'],
    ["castellan secret rotate --json | jq '.left'", 'print how many are still under the old key'],
  ],
  run: async ({ config: { masterKey }, openDatabase, signal }, _input, output) => {
    const [{ resealSecrets }, { selectOtherKeySealCount }] = await Promise.all([
      import('../../store/access/secret-rotation.js'),
      import('../../store/access/sealed-column.js'),
    ]);
    if (!masterKey) throw new UsageError('CASTELLAN_MASTER_KEY is not set here: set it to the new key.');
    const db = await openDatabase();
    const foreign = await selectOtherKeySealCount(db, masterKey.ids);
    if (foreign > 0) {
      const text = `${foreign} stored secrets are under a key that is not known here.`;
      output.result({ sealed: 0, left: foreign }, text);
      output.note('Set CASTELLAN_MASTER_KEY_PREVIOUS to the key that they were sealed with, then run this again.');
      return 1;
    }
    const done = await resealSecrets(db, masterKey, {
      progress: (count, total) => output.progress(count, total, 'secrets'),
      signal,
    });
    // A service that still seals with the old key may have sealed others in between.
    const left = await selectOtherKeySealCount(db, [masterKey.id]);
    output.result({ sealed: done, left }, `${done} secrets are sealed under the new key.`);
    if (left > 0) {
      output.note(
        `${left} more were sealed under the old one meanwhile: start every service with the new key, then run this again.`,
      );
      return 1;
    }
    output.note('CASTELLAN_MASTER_KEY_PREVIOUS may go. Cursors that were handed out before end with it.');
  },
});
