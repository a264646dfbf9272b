import Type from 'typebox';
import type { Reader } from '../../db/statement.js';
import { invalidField } from '../../error.js';
import { MiniAppNetwork } from '../../schema/miniapp/catalog.js';
import { stringEnum } from '../../schema/string-enum.js';
import { areScoresStored, SCORE_WINDOWS, selectLatestScores } from '../../store/miniapp/catalog-score.js';
import { commaSeparated } from '../http/comma-separated.js';

/** Query parameter with the networks of mini apps. */
export const networks = Type.Optional(
  commaSeparated(MiniAppNetwork, {
    repeatable: true,
    description: 'Keeps mini apps that require one of these networks, or name none.',
  }),
);

/** Query parameter with a period. */
export const timeWindow = (description: string) => stringEnum(SCORE_WINDOWS, { default: '7d', description });

/**
 * @param before the count that ordered the first page; undefined: this is the first page
 * @returns the count that orders the list, in Unix milliseconds; 0: there is none yet
 * @throws AppError 'invalid' with property `cursor` if that count is no longer stored
 */
export const countOf = async (read: Reader, before: number | undefined): Promise<number> => {
  if (before === undefined) return (await selectLatestScores(read)) ?? 0;
  if (before !== 0 && !(await areScoresStored(read, before))) {
    throw invalidField('cursor', 'cursor is too old: its count of mini apps was deleted; begin with the first page');
  }
  return before;
};
