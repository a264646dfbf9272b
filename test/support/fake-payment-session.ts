import type { PaymentBook } from './fake-payment-state.js';
import { type Form, textOf } from './fake-payment-form.js';
import type { Session } from './fake-payment-checkout.js';
import { refuse } from './fake-payment-error.js';

/** Makes a page of the provider where a card is entered. */
export const createSession = (book: PaymentBook, form: Form): Session => {
  const customer = book.find('customers', textOf(form, 'customer')).id;
  if (form.mode !== 'setup') throw refuse(400, 'parameter_invalid', 'The fake sets up cards only.', 'mode');
  if (form.currency === undefined && form.allowed_payment_method_types === undefined) {
    throw refuse(400, 'parameter_missing', 'You must specify `currency` in `setup` mode.', 'currency');
  }
  textOf(form, 'success_url');
  const id = book.id('cs');
  const url = `https://checkout.example/c/pay/${id}`;
  const session: Session = {
    id,
    object: 'checkout.session',
    mode: 'setup',
    status: 'open',
    customer,
    url,
    setup_intent: null,
  };
  book.pages.sessions.set(id, session);
  return session;
};
