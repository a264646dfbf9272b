import { fullFormats } from 'ajv-formats/dist/formats.js';

const check = fullFormats.uri as (text: string) => boolean;

/** Whether a text is what the interface's format `uri` allows: people and programs write other things in such places. */
export const isUri = (text: string): boolean => check(text);
