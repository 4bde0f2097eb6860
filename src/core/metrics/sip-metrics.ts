import { Counter, Gauge, type Registry } from 'prom-client';

/** Signalling: messages, phones, trunks. */
export function sipMetrics(registers: [Registry]) {
  return {
    phonesRegistered: new Gauge({ name: 'nidaa_phones_registered', help: 'Phones with a contact', registers }),
    authentications: new Counter({
      name: 'nidaa_authentications_total',
      help: 'Requests that had to prove who sent them: challenged, good, wrong, blocked, unavailable',
      labelNames: ['result'],
      registers,
    }),
    trunkHosts: new Gauge({
      name: 'nidaa_trunk_hosts',
      help: 'Hosts of trunks, by trunk and state: up, down, unknown',
      labelNames: ['trunk', 'state'],
      registers,
    }),
    trunkRegistrations: new Gauge({
      name: 'nidaa_trunk_registrations',
      help: 'Registrations of ours at trunks, by trunk and state',
      labelNames: ['trunk', 'state'],
      registers,
    }),
    sipRequests: new Counter({
      name: 'nidaa_sip_requests_total',
      help: 'SIP requests, retransmissions included, by direction (in, out) and method; OTHER: a method we do not know',
      labelNames: ['direction', 'method'],
      registers,
    }),
    sipResponses: new Counter({
      name: 'nidaa_sip_responses_total',
      help: 'SIP responses, retransmissions included, by direction, method that they answer, and class (1xx to 6xx)',
      labelNames: ['direction', 'method', 'class'],
      registers,
    }),
  };
}
