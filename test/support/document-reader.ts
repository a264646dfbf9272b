import { createDocumentReader } from '../../src/crawl/document-reader.js';

/** For tests that read documents without a service. Its thread ends by itself. */
export const documentReader = createDocumentReader();
