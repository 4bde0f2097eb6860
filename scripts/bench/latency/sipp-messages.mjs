/** What sipp's scenarios of the benches have in common: its placeholders stand in brackets. */

export const HEADERS = `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport
From: "bench" <sip:bench@[local_ip]:[local_port]>;tag=[pid]t[call_number]`;
export const REST = 'Call-ID: [call_id]\nMax-Forwards: 70';

/** INVITE (timed to its 200) and ACK. @param audioPort - where the call's audio goes. @param more - headers, each with its line's end. */
export const answeredInvite = (audioPort, more = '') => `  <send retrans="500" start_rtd="1"><![CDATA[
INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
${HEADERS}
To: <sip:[service]@[remote_ip]:[remote_port]>
${REST}
CSeq: 1 INVITE
Contact: <sip:bench@[local_ip]:[local_port]>
${more}Content-Type: application/sdp
Content-Length: [len]

v=0
o=bench 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[local_ip_type] [local_ip]
t=0 0
m=audio ${audioPort} RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=ptime:20
]]></send>
  <recv response="100" optional="true"/>
  <recv response="180" optional="true"/>
  <recv response="200" rtd="1" rrs="true"/>
  <send><![CDATA[
ACK [next_url] SIP/2.0
${HEADERS}
[last_To:]
${REST}
CSeq: 1 ACK
Content-Length: 0

]]></send>`;
