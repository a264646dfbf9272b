import type { DocPage } from './doc-page.js';

/** Gives headings of one page their anchors, as GitHub generates them, so that links work there and here. */
export class Anchors {
  readonly #used = new Set<string>();

  /** @param heading in Markdown, without the marks of its level */
  next(heading: string): string {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let more = 1; this.#used.has(anchor); more += 1) anchor = `${slug}-${more}`;
    this.#used.add(anchor);
    return anchor;
  }
}

/** A heading of a page and what stands below it, up to the next heading of any level. */
export interface Section {
  readonly page: DocPage;
  /** Plain text. */
  readonly heading: string;
  readonly anchor: string;
  /** Plain text, in one line. */
  readonly text: string;
}

const FENCE = /^\s*```/;
const HEADING = /^#{1,6} (.*)$/;

/** Removes the marks of Markdown as far as a reader of an excerpt would stumble over them. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:```.*|\|?[\s:|-]*\|[\s:|-]*)$/gm, ' ')
    .replaceAll(/<br\s*\/?>/g, ' ')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** @returns the sections of a page; the first one has its title */
export const splitSections = (page: DocPage): readonly Section[] => {
  const anchors = new Anchors();
  const sections: Section[] = [];
  let heading: string | undefined;
  let lines: string[] = [];
  const end = (): void => {
    if (heading === undefined) return;
    sections.push({ page, heading: plain(heading), anchor: anchors.next(heading), text: plain(lines.join('\n')) });
  };
  let isCode = false;
  for (const line of page.text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const title = isCode ? undefined : HEADING.exec(line)?.[1];
    if (title === undefined) lines.push(line);
    else {
      end();
      heading = title;
      lines = [];
    }
  }
  end();
  return sections;
};
