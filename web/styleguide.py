"""The page that shows the design's components to developers."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render


class SampleForm(forms.Form):
    """One field of each kind the pages use."""

    name = forms.CharField(label="Your name", help_text="As the others at the table know you.")
    points = forms.IntegerField(max_value=56, min_value=0, widget=forms.NumberInput(attrs={"inputmode": "numeric"}))
    game = forms.ChoiceField(choices=[("dix", "DIX"), ("sixmix", "Sixmix")])


def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every component; in debug only."""
    if not settings.DEBUG:
        raise Http404
    refused = SampleForm({"name": "", "points": "57", "game": "dix"}, auto_id="refused_%s")
    context = {"form": SampleForm(), "refused": refused, "themes": ("light", "dark")}
    return render(request, "styleguide.html", context)
