import type { Session } from './fake-payment-checkout.js';
import { refuse } from './fake-payment-error.js';
import { type Form, textOf } from './fake-payment-form.js';
import type { PaymentState } from './fake-payment-state.js';

/** Makes a page of the provider where a card is entered. */
export const createSession = (state: PaymentState, form: Form): Session => {
  const customer = state.find('customers', textOf(form, 'customer')).id;
  if (form.mode !== 'setup') throw refuse(400, 'parameter_invalid', 'The fake sets up cards only.', 'mode');
  if (form.currency === undefined && form.allowed_payment_method_types === undefined) {
    throw refuse(400, 'parameter_missing', 'You must specify `currency` in `setup` mode.', 'currency');
  }
  textOf(form, 'success_url');
  const id = state.id('cs');
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
  state.pages.sessions.set(id, session);
  return session;
};
