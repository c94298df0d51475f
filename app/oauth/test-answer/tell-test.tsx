"use client";

import { useEffect } from "react";
import { channelOf } from "@/components/docs/connection-test/channel";

/** Passes the person's response to the test, and removes it from the address bar immediately. */
export function TellTest() {
  useEffect(() => {
    const answer = location.search;
    if (answer === "") return;
    history.replaceState(history.state, "", location.pathname);
    const channel = new BroadcastChannel(channelOf(new URLSearchParams(answer).get("state") ?? ""));
    channel.postMessage(answer);
    channel.close();
  }, []);
  return null;
}
