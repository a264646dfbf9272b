import { CAST_TEXT_BYTES, EMBEDS_DEPRECATED_END, MAX_DEPRECATED_EMBEDS, MAX_EMBEDS, MAX_MENTIONS } from '../limit.js';
import { Rejection } from '../verification-result.js';
import type { CastAddBody, CastRemoveBody } from '../wire/body.js';
import type { MessageHead } from '../wire/message-data.js';
import { checkCastId, checkFid, checkHash, checkUrl } from './target.js';

/** @throws Rejection for a cast that exceeds a limit of hubs */
export const checkCastAdd = (body: CastAddBody, head: MessageHead): void => {
  checkText(body);
  checkEmbeds(body, head.timestamp);
  checkMentions(body);
  if (body.parentCastId !== undefined) checkCastId(body.parentCastId, 'the parent cast');
  if (body.parentUrl !== undefined) checkUrl(body.parentUrl, 'the parent URL');
};

/** @throws Rejection if the target is not a hash */
export const checkCastRemove = (body: CastRemoveBody): void => {
  checkHash(body.targetHash, 'the removed cast');
};

const checkText = (body: CastAddBody): void => {
  const limit = CAST_TEXT_BYTES[body.type];
  if (limit === undefined) throw new Rejection('bad_text', `${body.type} is no type of cast`);
  const length = body.text.length;
  if (length > limit.max || length <= limit.above) {
    const range = `${limit.above + 1} to ${limit.max} bytes`;
    throw new Rejection('bad_text', `the text of a cast of type ${body.type} must have ${range}, has ${length}`);
  }
  const hasContent = length + body.embeds.length + body.embedsDeprecated.length + body.mentions.length > 0;
  if (!hasContent) throw new Rejection('bad_text', 'a cast needs text, an embed or a mention');
};

const checkEmbeds = (body: CastAddBody, timestamp: number): void => {
  const { embeds, embedsDeprecated } = body;
  if (embeds.length > MAX_EMBEDS) {
    throw new Rejection('bad_embed', `a cast has at most ${MAX_EMBEDS} embeds, this one ${embeds.length}`);
  }
  if (embedsDeprecated.length > 0) {
    if (timestamp >= EMBEDS_DEPRECATED_END) {
      throw new Rejection('bad_embed', 'embedsDeprecated ended on 2023-05-03, use embeds');
    }
    if (embedsDeprecated.length > MAX_DEPRECATED_EMBEDS) {
      throw new Rejection('bad_embed', `a cast has at most ${MAX_DEPRECATED_EMBEDS} embedsDeprecated`);
    }
    if (embeds.length > 0) throw new Rejection('bad_embed', 'embeds and embedsDeprecated exclude each other');
  }
  for (const url of embedsDeprecated) checkUrl(url, 'an embedded URL');
  for (const { url, castId } of embeds) {
    if (url !== undefined) checkUrl(url, 'an embedded URL');
    else if (castId !== undefined) checkCastId(castId, 'an embedded cast');
    else throw new Rejection('bad_embed', 'an embed needs a url or a castId');
  }
};

const checkMentions = ({ mentions, mentionsPositions, text }: CastAddBody): void => {
  if (mentions.length > MAX_MENTIONS) {
    throw new Rejection('bad_mention', `a cast has at most ${MAX_MENTIONS} mentions, this one ${mentions.length}`);
  }
  if (mentions.length !== mentionsPositions.length) {
    throw new Rejection(
      'bad_mention',
      `${mentions.length} mentions need as many positions, not ${mentionsPositions.length}`,
    );
  }
  let previous = 0;
  for (const position of mentionsPositions) {
    if (position > text.length) {
      throw new Rejection('bad_mention', `position ${position} lies outside the text of ${text.length} bytes`);
    }
    if (position < previous) throw new Rejection('bad_mention', 'the positions of mentions must ascend');
    previous = position;
  }
  for (const fid of mentions) checkFid(fid, 'a mention');
};
