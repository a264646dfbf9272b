import { useState } from 'preact/hooks';
import { shorten } from './text.js';

/** Copies with one click, and says so for a moment. */
export const CopyButton = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="button" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  );
};

/** A hash, key or address: short, and whole when copied. */
export const Mono = ({ text, whole = false }: { readonly text: string; readonly whole?: boolean }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="copied mono" title={`Copy ${text}`} onClick={() => void copy()}>
      {isCopied ? 'Copied' : whole ? text : shorten(text)}
    </button>
  );
};
