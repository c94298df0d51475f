"use client";

import { useEffect } from "react";
import { channelOf } from "@/components/docs/connection-test/channel";

/** Tells the test what the person answered, and takes it out of the address bar at once. */
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
