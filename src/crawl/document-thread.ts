import { readFrame } from './frame-meta.js';
import { readHtmlHead } from './html-head.js';
import { readHtmlMetadata } from './html-metadata.js';
import { readImage, readPlaylist } from './media.js';
import { readMiniAppEmbeds } from './mini-app-embed.js';
import { readOembed } from './oembed.js';
import { pageText } from './page-text.js';

/** A document that a stranger's server sent. */
export interface ReceivedDocument {
  readonly body: Uint8Array;
  /** The header, or '' without one. */
  readonly contentType: string;
  /** The address that answered. */
  readonly url: string;
}

/** What is read of each kind of document. */
const READERS = {
  page: async ({ body, contentType, url }: ReceivedDocument) => {
    const head = readHtmlHead(pageText(body, contentType));
    const base = new URL(url);
    return { html: await readHtmlMetadata(head, base), frame: readFrame(head.meta, base), oembed: head.oembed };
  },
  miniAppEmbeds: ({ body, contentType }: ReceivedDocument) =>
    readMiniAppEmbeds(readHtmlHead(pageText(body, contentType)).meta).map(({ imageUrl, version }) => ({
      imageUrl,
      version: String(version),
    })),
  playlist: ({ body }: ReceivedDocument) => readPlaylist(pageText(body, '')),
  image: ({ body }: ReceivedDocument) => readImage(body),
  oembed: ({ body, url }: ReceivedDocument) => readOembed(body, new URL(url)),
};

export type DocumentReaders = typeof READERS;

export interface DocumentTask {
  readonly kind: keyof DocumentReaders;
  readonly document: ReceivedDocument;
}

/** Entry of the thread that reads documents. @param task undefined: nothing; the thread is ready */
export default async (task: DocumentTask | undefined): Promise<unknown> =>
  task === undefined ? undefined : READERS[task.kind](task.document);
