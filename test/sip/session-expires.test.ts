import { describe, expect, it } from 'vitest';
import { agreedTimer, refusalOfTimer, wishedTimer } from '../../src/sip/session-expires.ts';
import { fakeAnswer, fakeRequest } from '../support/fake-srf.ts';

const policy = { sessionSeconds: 1800, minSeconds: 120 };
const asks = (headers: Record<string, string>) => fakeRequest({ headers });
const timer = { Supported: '100rel, timer' };

describe('what an INVITE asks and our 200 says', () => {
  it.each<{ name: string; headers: Record<string, string>; says: Record<string, string> }>([
    { name: 'nothing, and knows no timers', headers: {}, says: {} },
    {
      name: 'nothing, but knows timers',
      headers: timer,
      says: { 'Session-Expires': '1800;refresher=uac', Require: 'timer' },
    },
    {
      name: 'its own interval',
      headers: { ...timer, 'Session-Expires': '600' },
      says: { 'Session-Expires': '600;refresher=uac', Require: 'timer' },
    },
    {
      name: 'that we refresh',
      headers: { ...timer, 'Session-Expires': '600;refresher=uas' },
      says: { 'Session-Expires': '600;refresher=uas' },
    },
    {
      name: 'that it refreshes, oddly written',
      headers: { ...timer, 'Session-Expires': ' 600 ;x=y; Refresher = UAC' },
      says: { 'Session-Expires': '600;refresher=uac', Require: 'timer' },
    },
    {
      name: 'more than we keep',
      headers: { ...timer, 'Session-Expires': '7200' },
      says: { 'Session-Expires': '1800;refresher=uac', Require: 'timer' },
    },
    {
      name: 'not below its own Min-SE',
      headers: { ...timer, 'Session-Expires': '7200', 'Min-SE': '3600' },
      says: { 'Session-Expires': '3600;refresher=uac', Require: 'timer' },
    },
    {
      name: 'as a proxy, for a phone that knows no timers: we refresh',
      headers: { 'Session-Expires': '60' },
      says: { 'Session-Expires': '120;refresher=uas' },
    },
    { name: 'in words', headers: { ...timer, 'Session-Expires': 'soon' }, says: {} },
  ])('$name', ({ headers, says }) => {
    expect(agreedTimer(asks(headers), policy)).toEqual(says);
    expect(agreedTimer(asks(headers), undefined)).toEqual({});
  });

  it.each([
    { headers: { ...timer, 'Session-Expires': '119' }, status: 422 },
    { headers: { ...timer, 'Session-Expires': '120' }, status: undefined },
    { headers: { 'Session-Expires': '60' }, status: undefined }, // a proxy's wish
    { headers: timer, status: undefined },
  ])('too short is refused: $headers', ({ headers, status }) => {
    const refused = refusalOfTimer(asks(headers), policy);
    expect(refused?.status).toBe(status);
    expect(refused?.headers['Min-SE']).toBe(status && '120');
    expect(refusalOfTimer(asks(headers), undefined)).toBeUndefined();
  });
});

describe('what our own INVITE asks', () => {
  it.each([
    { name: 'at first', refused: undefined, seconds: '1800', least: '120' },
    { name: 'after a 422', refused: '3600', seconds: '3600', least: '3600' },
    { name: 'after a 422 without a figure', refused: 'x', seconds: '1800', least: '120' },
  ])('$name', ({ refused, seconds, least }) => {
    const answer = refused === undefined ? undefined : fakeAnswer(422, { headers: { 'Min-SE': refused } });
    expect(wishedTimer(policy, answer)).toEqual({
      Supported: 'timer, replaces',
      'Session-Expires': seconds,
      'Min-SE': least,
    });
    expect(wishedTimer(undefined, answer)).toEqual({});
  });
});
