import { fullFormats } from 'ajv-formats/dist/formats.js';

const check = fullFormats.uri as (text: string) => boolean;

/** Whether a text matches the interface's format `uri`: users enter other texts as URLs, too. */
export const isUri = (text: string): boolean => check(text);
