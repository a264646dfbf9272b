/** Formats of images that are made here. */
export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** An image that somebody asks for. */
export interface ImageRequest {
  readonly prompt: string;
  /** Pixels, 1 to 4096 each. */
  readonly width: number;
  readonly height: number;
  readonly format: ImageFormat;
  /** Whether the better and slower model is to be used. */
  readonly highFidelity: boolean;
  /** Addresses of images to edit, at most 5. */
  readonly sourceUrls: readonly string[];
}

export interface GeneratedImage {
  /** Of exactly the requested size and format, without metadata. */
  readonly bytes: Buffer;
  /** `pattern`: drawn here, where no model is configured. */
  readonly generator: 'model' | 'pattern';
}

/** Makes images. */
export interface ImageGenerator {
  /**
   * @param signal ends the work, calls to the model included, when nobody waits for the image
   * @throws AppError not_implemented when neither a model nor the pattern is configured; invalid with property `prompt`
   *   when the model refuses it, or with `source_image_urls` for what cannot be fetched; internal when the model fails
   */
  generate(request: ImageRequest, signal: AbortSignal): Promise<GeneratedImage>;
}
