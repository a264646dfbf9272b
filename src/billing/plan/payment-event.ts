/** Receives events of a payment provider. */
export interface PaymentEvents {
  /**
   * @param body of the request, unchanged
   * @param signature of the body, in the provider's format
   * @throws AppError `invalid` for a wrong signature, `unavailable` when the provider should send the event again
   */
  take(body: string, signature: string | undefined): Promise<void>;
}
