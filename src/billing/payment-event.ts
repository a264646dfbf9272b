/** Takes in what an outside payment provider tells of. */
export interface PaymentEvents {
  /**
   * @param body of the request, as it came
   * @param signature of the body, in the provider's form
   * @throws AppError `invalid` when the signature is not the provider's, `unavailable` when the event should come again
   */
  take(body: string, signature: string | undefined): Promise<void>;
}
