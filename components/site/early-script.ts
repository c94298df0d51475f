/**
 * Keeps what is done to controls whose code has not loaded yet: clicks on buttons, which React would drop; choices and
 * typed text, which it would show and not know of; and submissions of forms that only this code can send, where the
 * browser would reload the page. `early-actions.tsx` repeats them. React listens on the document, after this: what it
 * can still hydrate for the event reaches the element and is not kept. What the browser restores is not kept.
 */
export const EARLY_SCRIPT = [
  "(function(){var early=window.earlyActions=new Map",
  "function isLive(e){return Object.keys(e).some(function(k){return /^__reactProps/.test(k)})}",
  "function on(type,act){addEventListener(type,function(event){",
  "if(event.target.closest&&!isLive(event.target))act(event.target,event)},true)}",
  "function keep(e,type,point){early.set(e,point);",
  "e.addEventListener(type,function(){if(isLive(e))early.delete(e)},{capture:true,once:true})}",
  "on('click',function(target,event){",
  "var e=target.closest('button[type=button],input[type=checkbox],input[type=radio]');if(!e||isLive(e))return;",
  "var box=e.getBoundingClientRect();",
  "keep(e,'click',{x:event.clientX-box.left,y:event.clientY-box.top,detail:event.detail})})",
  "on('input',function(e){var person=navigator.userActivation;",
  "if(e.type==='checkbox'||e.type==='radio'||!(document.activeElement===e||person&&person.hasBeenActive))return;",
  "if(e.tagName==='SELECT')keep(e,'change');else early.set(e)})",
  "on('submit',function(form,event){if(form.hasAttribute('action'))return;",
  "event.preventDefault();early.set(event.submitter||form)})",
  "})()",
].join("\n");
