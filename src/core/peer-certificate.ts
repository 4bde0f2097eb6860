/**
 * Header of a request between the embedded SIP server and its application: the domains that the sender's certificate proves (RFC
 * 5922 §7.1), with commas between them. The server takes it off whatever comes from outside. A SIP server that is elsewhere does
 * not: what it hands on under this name says nothing.
 */
export const PEER_CERTIFICATE_HEADER = 'Nidaa-Peer-Certificate';
