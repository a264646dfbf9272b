import { ARTICLE_KIND, renderArticle } from './article.js';
import { renderPicture } from './picture/picture.js';

/** A file of the sample network, as a development service serves it. */
export interface SampleFile {
  readonly type: string;
  readonly body: string;
}

const RENDERED: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/**
 * @param kind the first part of the path below `/sample`: a kind of pictures, or `article`
 * @param file name with extension
 * @returns undefined if there is no such file
 */
export const renderFile = (kind: string, file: string): SampleFile | undefined => {
  const [name = '', extension = ''] = file.split('.', 2);
  if (file !== `${name}.${extension}` || extension !== (kind === ARTICLE_KIND ? 'html' : 'svg')) return undefined;
  const body = kind === ARTICLE_KIND ? renderArticle(name) : renderPicture(kind, name);
  return body === undefined ? undefined : { type: RENDERED[extension] as string, body };
};
